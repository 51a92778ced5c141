"""Random histories of a few rows, sent in the made-up vendor's messages: input of the property tests."""

from __future__ import annotations

import json
import random
from datetime import datetime
from typing import Any

START = "2026-01-01T00:{minute:02d}:{second:02d}Z"
COLUMNS = ("a", "b", "c")
KEYS = ("1", "2", "3")


def _time(second: int) -> str:
    return START.format(minute=second // 60, second=second % 60)


def _image(chance: random.Random, key: str, columns: tuple[str, ...]) -> dict[str, Any]:
    return {"id": key} | {name: chance.choice([None, 0, 1, "x", "é"]) for name in columns}


def random_history(seed: int) -> list[dict[str, Any]]:
    """Return the distinct messages of one source, in commit order.

    Tables `rows` (full images), `parts` (partial ones too) and `moves` (key changes too); every
    operation, several changes of a row in one transaction, equal positions, commit times that run
    backwards or are missing, changes without a position, snapshot rows with and without a time,
    truncates.
    """
    chance = random.Random(seed)
    messages: list[dict[str, Any]] = []
    for commit in range(1, chance.randint(4, 9)):
        second = commit * 10 + chance.choice([0, 0, 0, -25, 3])
        for index in range(1, chance.randint(2, 5)):
            table = chance.choice(["rows", "parts", "moves"])
            key = chance.choice(KEYS)
            message: dict[str, Any] = {
                "id": f"{seed}-{commit}-{index}",
                "table": table,
                "key": ["id"],
                "position": f"{commit:04d}/{index:04d}"
                if chance.random() > 0.05
                else f"{commit:04d}/0001",
                "committed_at": _time(max(second, 0)) if chance.random() > 0.06 else None,
                "transaction": f"t{commit}" if chance.random() > 0.3 else None,
            }
            action = chance.random()
            if action < 0.12:
                message |= {"operation": "delete", "before": {"id": key}, "before_image": "key"}
            elif action < 0.17:
                message |= {"operation": "truncate"}
            elif action < 0.30:
                message |= {
                    "operation": "snapshot",
                    "after": _image(chance, key, COLUMNS),
                    "after_image": "full",
                    "position": None,
                    "committed_at": None,
                    "snapshot_at": _time(chance.randint(0, 99)) if chance.random() > 0.2 else None,
                }
            elif action < 0.45 and table == "moves":
                other = chance.choice([name for name in KEYS if name != key])
                is_full = chance.random() < 0.4
                after = _image(chance, key, COLUMNS if is_full else COLUMNS[:1])
                message |= {
                    "operation": "update",
                    "before": {"id": other},
                    "before_image": "key",
                    "after": after,
                    "after_image": "full" if is_full else "partial",
                }
            else:
                is_full = table == "rows" or chance.random() < 0.5
                names = COLUMNS if is_full else tuple(chance.sample(COLUMNS, 1))
                message |= {
                    "operation": chance.choice(["insert", "update"]),
                    "after": _image(chance, key, names),
                    "after_image": "full" if is_full else chance.choice(["partial", "unknown"]),
                }
            if (
                message["operation"] != "truncate"
                and message["committed_at"]
                and chance.random() < 0.05
            ):
                message["position"] = None
            messages.append(message)
    return messages


def delivered(seed: int, messages: list[dict[str, Any]], batches: int) -> list[list[str]]:
    """Shuffle a history over landing batches, some messages twice; bodies per batch."""
    chance = random.Random(seed * 7919 + 1)
    deliveries = messages + chance.sample(messages, k=len(messages) // 4)
    chance.shuffle(deliveries)
    result: list[list[str]] = [[] for _ in range(batches)]
    for message in deliveries:
        result[chance.randrange(batches)].append(json.dumps(message, ensure_ascii=False))
    return result


def json_text(value: Any) -> str:
    """JSON without blanks, as the changelog's images are written."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _moment(text: str | None) -> datetime | None:
    """A time as the server's client gives it: UTC, without saying so."""
    return None if text is None else datetime.fromisoformat(text).replace(tzinfo=None)


def change_of(message: dict[str, Any]) -> dict[str, Any]:
    """The columns of the changelog that hold what a message of the made-up vendor says."""
    images = {
        side: None if message.get(side) is None else json_text(message[side])
        for side in ("before", "after")
    }
    before, after = message.get("before"), message.get("after")
    row = after or before
    moved = before is not None and after is not None and before["id"] != after["id"]
    return {
        "table_name": message["table"],
        "operation": message["operation"],
        "row_key": json_text([row["id"]]) if row else None,
        "row_key_before": json_text([before["id"]]) if before and moved else None,
        "before_image": message.get("before_image", "none"),
        "after_image": message.get("after_image", "none"),
        "epoch": 0,
        "position": message["position"],
        "committed_at": _moment(message["committed_at"]),
        "snapshot_at": _moment(message.get("snapshot_at")),
        "transaction_id": message["transaction"],
        **images,
    }

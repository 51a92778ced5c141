"""Random histories of a few rows, sent in the made-up vendor's messages: input of the property tests."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass
from datetime import datetime
from typing import Any

START = "2026-01-01T00:{minute:02d}:{second:02d}Z"
# What cannot be, and counts as the rules say.
FAR_FUTURE = "2999-01-01T00:00:00Z"
END_OF_POSITIONS = "FFFFFFFF/0001"
COLUMNS = ("a", "b", "c")
KEYS = ("1", "2", "3")


def _time(second: int) -> str:
    return START.format(minute=second // 60, second=second % 60)


def _image(chance: random.Random, key: str, columns: tuple[str, ...]) -> dict[str, Any]:
    return {"id": key} | {name: chance.choice([None, 0, 1, "x", "é"]) for name in columns}


def random_history(seed: int, *, is_plausible: bool = False) -> list[dict[str, Any]]:
    """Return the distinct messages of one source, in commit order.

    Tables `rows` (full images), `parts` (partial ones too) and `moves` (key changes too); every
    operation, several changes of a row in one transaction, equal positions, commit times that run
    backwards or are missing, changes without a position, snapshot rows with and without a time,
    truncates, tables that end or lose columns, partial images that say which columns there are;
    times far in the future and positions at the end of their range, unless it is to be plausible.
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
                if chance.random() > 0.15
                else f"{commit:04d}/0001",
                "committed_at": _time(max(second, 0)) if chance.random() > 0.06 else None,
                "transaction": f"t{commit}" if chance.random() > 0.3 else None,
            }
            action = chance.random()
            if action < 0.12:
                message |= {"operation": "delete", "before": {"id": key}, "before_image": "key"}
            elif action < 0.15:
                message |= {"operation": "truncate"}
            elif action < 0.16:
                message |= {"operation": "ddl", "ends_table": True}
            elif action < 0.19 and table != "rows":
                lost = chance.sample(COLUMNS, chance.choice([1, 1, 2]))
                message |= {"operation": "ddl", "ended_columns": lost}
            elif action < 0.22:
                message |= {
                    "operation": "schema",
                    "table_identity": chance.choice(["16401", "16401", "16777"]),
                }
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
                if not is_full and chance.random() < 0.3:
                    of_table = {"id", *names, *chance.sample(COLUMNS, 2)}
                    message["row_columns"] = sorted(of_table)
            if (
                message["operation"] != "truncate"
                and message["committed_at"]
                and chance.random() < 0.05
            ):
                message["position"] = None
            if not is_plausible and message["committed_at"] and chance.random() < 0.02:
                message["committed_at"] = FAR_FUTURE
            if not is_plausible and message["position"] and chance.random() < 0.02:
                message["position"] = END_OF_POSITIONS
            messages.append(message)
        if chance.random() < 0.3:
            messages.append(
                {
                    "id": f"{seed}-{commit}-end",
                    "table": "none",
                    "operation": "commit",
                    "position": f"{commit:04d}/9999",
                    "committed_at": _time(max(second, 0)),
                    "transaction": f"t{commit}",
                }
            )
    return messages


@dataclass(frozen=True)
class Delivery:
    """Messages that one body carries, as a list where there are several, and where it lies."""

    messages: tuple[dict[str, Any], ...]
    topic: str | None
    partition: int | None
    offset: int | None

    @property
    def body(self) -> str:
        """The text that is landed."""
        content = self.messages[0] if len(self.messages) == 1 else list(self.messages)
        return json.dumps(content, ensure_ascii=False)


def deliveries(seed: int, messages: list[dict[str, Any]]) -> list[Delivery]:
    """Return what carries a history: some messages in lists, a quarter of them twice.

    A few lie in a second topic or partition, or in none; places of the second delivery may come
    before those of the first.
    """
    chance = random.Random(seed * 7919 + 1)
    sent = messages + chance.sample(messages, k=len(messages) // 4)
    offsets = list(range(2 * len(sent)))
    chance.shuffle(offsets)
    found: list[Delivery] = []
    while sent:
        count = min(len(sent), chance.choice([1, 1, 1, 2, 3]))
        carried, sent = sent[:count], sent[count:]
        topic = chance.choice(["shop", "shop", "shop", "shop", "annex", None])
        partition = None if topic is None else chance.choice([0, 0, 0, 1])
        offset = None if topic is None else offsets.pop()
        found.append(Delivery(tuple(carried), topic, partition, offset))
    chance.shuffle(found)
    return found


def delivered(seed: int, messages: list[dict[str, Any]], batches: int) -> list[list[Delivery]]:
    """Shuffle what carries a history over landing batches."""
    chance = random.Random(seed * 104729 + 1)
    result: list[list[Delivery]] = [[] for _ in range(batches)]
    for delivery in deliveries(seed, messages):
        result[chance.randrange(batches)].append(delivery)
    return result


def least_places(seed: int, messages: list[dict[str, Any]]) -> dict[str, tuple[Any, ...]]:
    """Return, by the id of a message, the least place of all its deliveries; nulls come last."""
    last = float("inf")
    places: dict[str, list[tuple[Any, ...]]] = {}
    for delivery in deliveries(seed, messages):
        for index, message in enumerate(delivery.messages):
            place = (delivery.topic, delivery.partition, delivery.offset, index)
            places.setdefault(message["id"], []).append(place)
    return {
        name: min(
            found,
            key=lambda place: (
                place[0] is None,
                place[0] or "",
                *(last if number is None else number for number in place[1:]),
            ),
        )
        for name, found in places.items()
    }


def excluded_places(seed: int) -> list[tuple[Delivery, int | None]]:
    """Return the places that cdc_excluded_events names of a history: all of a message, or one event in it."""
    if seed % 3:
        return []
    chance = random.Random(seed * 7727 + 1)
    with_place = [item for item in deliveries(seed, random_history(seed)) if item.topic is not None]
    return [
        (item, chance.choice([None, chance.randrange(len(item.messages))]))
        for item in chance.sample(with_place, k=min(len(with_place), chance.choice([1, 1, 2])))
    ]


def excluded_lines(seed: int) -> list[str]:
    """Return the lines of cdc_excluded_events that name those places."""
    return [
        f",acme,h{seed},{item.topic},{item.partition},{item.offset},{'' if index is None else index},forged,the test"
        for item, index in excluded_places(seed)
    ]


def remaining_history(seed: int) -> list[dict[str, Any]]:
    """Return the messages of a history that no line of cdc_excluded_events takes out, in any of their deliveries."""
    excluded = {
        message["id"]
        for item, index in excluded_places(seed)
        for number, message in enumerate(item.messages)
        if index in (None, number)
    }
    return [message for message in random_history(seed) if message["id"] not in excluded]


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

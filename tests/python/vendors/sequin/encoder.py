"""The scenario in the dialect of Sequin.

Landing batch 1 comes through Kafka, one change a message; batch 2 through a webhook that sends
several changes in one body; batch 3 from Sequin Stream, where every change has an ack_id.
Truncates and schemas are not sent: Sequin sends neither.
`python -m tests.python.vendors.sequin.encoder` writes the seed.
"""

import base64
import csv
import json
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from tests.python.scenario.events import SCENARIO
from tests.python.scenario.model import (
    JsonValue,
    RawMessage,
    Row,
    ScenarioEvent,
    arrivals,
    carried_by,
    iso_z,
)
from tests.python.scenario.tables import SOURCE

CARRIED = frozenset({"snapshot_rows", "snapshot_time", "partial_images", "key_change"})
ACTIONS = {"insert": "insert", "update": "update", "delete": "delete", "snapshot": "read"}
UNCHANGED_TOAST = "unchanged_toast"
WEBHOOK_BATCH = 2
STREAM_BATCH = 3
CHANGES_A_BODY = 4
FIRST_LSN = 73_220_408
BACKFILL = uuid.uuid5(uuid.NAMESPACE_URL, "backfill of the shop")
COLUMNS = (
    "value",
    "key",
    "headers_json",
    "topic",
    "partition",
    "offset",
    "timestamp",
    "source",
    "landing_batch",
)
SEED = Path(__file__).parents[4] / "seeds" / "sequin" / "raw_sequin__fixtures.csv"


def encode(events: list[ScenarioEvent]) -> list[RawMessage]:
    """Write the events that the format can carry, in the order in which they arrive."""
    indexes = _commit_indexes(events)
    sent = carried_by([event for event in events if event.kind in ACTIONS], CARRIED)
    arrived = arrivals(sent)
    messages = []
    for landing_batch in sorted({delivery.landing_batch for delivery, _ in arrived}):
        batch = [event for delivery, event in arrived if delivery.landing_batch == landing_batch]
        changes = [_change(event, indexes.get(event.number)) for event in batch]
        if landing_batch == WEBHOOK_BATCH:
            messages += _webhook(batch, changes, landing_batch)
        elif landing_batch == STREAM_BATCH:
            messages += _stream(batch, changes, landing_batch)
        else:
            messages += _kafka(batch, changes, landing_batch)
    return messages


def _kafka(
    events: Sequence[ScenarioEvent], changes: Sequence[Row], landing_batch: int
) -> list[RawMessage]:
    """One change a message; the key is the primary key's values joined by colons."""
    offsets: Counter[str] = Counter()
    messages = []
    for event, change in zip(events, changes, strict=True):
        topic = f"sequin.{event.table.schema_name}.{event.table.name}"
        messages.append(
            RawMessage(
                value=_text(change),
                source=SOURCE,
                landing_batch=landing_batch,
                key=":".join(_key_values(event)),
                topic=topic,
                partition=0,
                offset=offsets[topic],
                timestamp=_time(event),
            )
        )
        offsets[topic] += 1
    return messages


def _webhook(
    events: Sequence[ScenarioEvent], changes: Sequence[Row], landing_batch: int
) -> list[RawMessage]:
    """Several changes a body; a body of one change is that change itself."""
    bodies = []
    for start in range(0, len(changes), CHANGES_A_BODY):
        sent = changes[start : start + CHANGES_A_BODY]
        bodies.append(
            RawMessage(
                value=_text(sent[0] if len(sent) == 1 else {"data": sent}),
                source=SOURCE,
                landing_batch=landing_batch,
                headers={"content-type": "application/json"},
                timestamp=_time(events[start]),
            )
        )
    return bodies


def _stream(
    events: Sequence[ScenarioEvent], changes: Sequence[Row], landing_batch: int
) -> list[RawMessage]:
    """Several changes a body, each with the id of its delivery."""
    deliveries: list[Row] = [
        {"ack_id": _base64(f"delivery {number}"), **change}
        for number, change in enumerate(changes, start=1)
    ]
    return [
        RawMessage(
            value=_text({"data": deliveries[start : start + CHANGES_A_BODY]}),
            source=SOURCE,
            landing_batch=landing_batch,
            timestamp=_time(events[start]),
        )
        for start in range(0, len(deliveries), CHANGES_A_BODY)
    ]


def _commit_indexes(events: Sequence[ScenarioEvent]) -> dict[int, int]:
    """Number the changes of each transaction from 0; truncates take a number, schemas do not."""
    seen: Counter[int | None] = Counter()
    indexes = {}
    for event in events:
        if event.transaction is not None and event.kind != "schema":
            indexes[event.number] = seen[event.transaction]
            seen[event.transaction] += 1
    return indexes


def _change(event: ScenarioEvent, commit_index: int | None) -> dict[str, JsonValue]:
    return {
        "record": _record(event),
        "metadata": _metadata(event, commit_index),
        "action": ACTIONS[event.kind],
        "changes": _old_values(event),
    }


def _record(event: ScenarioEvent) -> Row:
    """Every column of the table, in the order of a sorted map."""
    if event.after is not None:
        row = {
            name: UNCHANGED_TOAST if name in event.absent else value
            for name, value in event.after.items()
        }
    else:
        assert event.before is not None
        is_full = event.table.replica_identity == "full"
        row = {
            name: value if is_full or name in event.table.key_columns else None
            for name, value in event.before.items()
        }
    return dict(sorted(row.items()))


def _old_values(event: ScenarioEvent) -> Row | None:
    """Old values of the changed columns; only a full replica identity knows them."""
    if event.kind != "update":
        return None
    if event.table.replica_identity != "full":
        return {}
    assert event.before is not None
    changed = event.changed_columns
    return {name: value for name, value in sorted(event.before.items()) if name in changed}


def _metadata(event: ScenarioEvent, commit_index: int | None) -> Mapping[str, JsonValue]:
    moment = _time(event)
    assert moment is not None
    lsn = None if event.transaction is None else FIRST_LSN + 256 * event.transaction
    if lsn is None:
        idempotency_key = ":".join([str(BACKFILL), *_key_values(event)])
    else:
        idempotency_key = f"{lsn}:{commit_index}"
    return {
        "consumer": {
            "id": "282713d8-76c4-42db-8e16-3e0df04cc5f6",
            "name": "shop_sink",
            "annotations": {"team": "shop"},
        },
        "database": {
            "id": "12345678-9abc-def0-1234-56789abcdef0",
            "name": "shop-prod",
            "annotations": {},
            "database": "shop",
            "hostname": "db.example.com",
        },
        "table_name": event.table.name,
        "record_pks": list(_key_values(event)),
        "enrichment": None,
        "commit_timestamp": iso_z(moment),
        "commit_lsn": lsn,
        "commit_idx": commit_index,
        "transaction_annotations": None,
        "table_schema": event.table.schema_name,
        "idempotency_key": _base64(idempotency_key),
        "database_name": "shop-prod",
    }


def _key_values(event: ScenarioEvent) -> tuple[str, ...]:
    row = event.after if event.after is not None else event.before
    assert row is not None
    return event.table.key_values(row)


def _time(event: ScenarioEvent) -> datetime | None:
    return event.committed_at or event.snapshot_at


def _base64(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


def _text(value: JsonValue) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def write_seed(path: Path = SEED) -> None:
    """Write the scenario as the seed that the fixtures load."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(COLUMNS)
        for message in encode(SCENARIO):
            moment = message.timestamp
            writer.writerow(
                [
                    message.value,
                    message.key,
                    json.dumps(message.headers) if message.headers else None,
                    message.topic,
                    message.partition,
                    message.offset,
                    f"{moment:%Y-%m-%d %H:%M:%S.%f}" if moment else None,
                    message.source,
                    message.landing_batch,
                ]
            )


if __name__ == "__main__":
    write_seed()

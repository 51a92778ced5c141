"""The scenario in the dialect of Qlik Replicate.

Three ways to send a message, each table keeping to one: customers, orders and order_lines with the
envelope and a schema id; the stock tables bare, named by the topic; product_texts bare, with the
blanks that a JSON writer of another kind leaves, its column names in the configuration.
A JSON column is sent as a nested value, which the vendor itself would send as text.
`python -m tests.python.vendors.qlik.encoder` writes the seed.
"""

import csv
import hashlib
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from tests.python.scenario.events import SCENARIO
from tests.python.scenario.model import (
    Column,
    ColumnKind,
    JsonValue,
    RawMessage,
    Row,
    ScenarioEvent,
    Table,
    arrivals,
    carried_by,
)
from tests.python.scenario.tables import SOURCE

CARRIED = frozenset(
    {
        "snapshot_rows",
        "partial_images",
        "key_change",
        "key_change_default_identity",
        "schema_messages",
    }
)
OPERATIONS = {"insert": "INSERT", "update": "UPDATE", "delete": "DELETE", "snapshot": "REFRESH"}
BARE_TABLES = frozenset({"stock_levels", "stock_reservations", "product_texts"})
SPACED_TABLES = frozenset({"product_texts"})
TYPES: Mapping[ColumnKind, str] = {
    "int32": "INT4",
    "int64": "INT8",
    "float": "REAL8",
    "decimal": "NUMERIC",
    "text": "WSTRING",
    "bool": "BOOLEAN",
    "date": "DATE",
    "timestamp": "DATETIME",
    "json": "NCLOB",
}
SEED = Path(__file__).parents[4] / "seeds" / "qlik" / "raw_qlik__fixtures.csv"


@dataclass(frozen=True)
class Place:
    """Where a change stands: its sequence, its number in its transaction, and if it is the last."""

    change_sequence: str
    counter: int
    is_last: bool


def encode(events: list[ScenarioEvent]) -> list[RawMessage]:
    """Write the events that the format can carry, in the order in which they arrive."""
    sent = carried_by(events, CARRIED)
    places = _places(sent)
    offsets: Counter[str] = Counter()
    messages = []
    for delivery, event in arrivals(sent):
        topic = f"{event.table.schema_name}.{event.table.name}"
        messages.append(
            RawMessage(
                value=_text(event, places.get(event.number)),
                source=SOURCE,
                landing_batch=delivery.landing_batch,
                topic=topic,
                partition=0,
                offset=offsets[topic],
                timestamp=event.committed_at or event.snapshot_at,
            )
        )
        offsets[topic] += 1
    return messages


def mask(columns: Sequence[Column], names: frozenset[str]) -> str:
    """Write a mask of some columns: ordinals 8 and 16 of 16 are "008080"."""
    bits = sum(1 << column.ordinal - 1 for column in columns if column.name in names)
    return f"{bits:0{2 * (len(columns) // 8 + 1)}X}"


def schema_id(table: Table, version: int) -> str:
    """Name a table schema as the vendor does, by 32 hexadecimal digits."""
    return (
        hashlib.md5(f"{table.name}/{version}".encode(), usedforsecurity=False).hexdigest().upper()
    )


def _places(sent: Sequence[ScenarioEvent]) -> dict[int, Place]:
    """Number the changes: the sequence begins with the latest commit time so far."""
    changes = [event for event in sent if event.kind != "schema" and event.transaction is not None]
    sizes = Counter(event.transaction for event in changes)
    seen: Counter[int | None] = Counter()
    clock = datetime.min.replace(tzinfo=UTC)
    places = {}
    for event in changes:
        assert event.committed_at is not None
        clock = max(clock, event.committed_at)
        seen[event.transaction] += 1
        places[event.number] = Place(
            change_sequence=f"{clock:%Y%m%d%H%M%S}{clock.microsecond // 10000:02}{event.number:019}",
            counter=seen[event.transaction],
            is_last=seen[event.transaction] == sizes[event.transaction],
        )
    return places


def _text(event: ScenarioEvent, place: Place | None) -> str:
    is_bare = event.table.name in BARE_TABLES
    message: dict[str, JsonValue]
    if event.kind == "schema":
        message = {
            "magic": "atMSG",
            "type": "MD",
            "headers": None,
            "messageSchemaId": None,
            "messageSchema": None,
            "message": _schema(event),
        }
    elif is_bare:
        message = _change(event, place)
    else:
        message = {
            "magic": "atMSG",
            "type": "DT",
            "headers": None,
            "messageSchemaId": schema_id(event.table, event.schema_version),
            "messageSchema": None,
            "message": _change(event, place),
        }
    separators = (", ", ": ") if event.table.name in SPACED_TABLES else (",", ":")
    return json.dumps(message, ensure_ascii=False, separators=separators)


def _schema(event: ScenarioEvent) -> dict[str, JsonValue]:
    table = event.table
    return {
        "schemaId": schema_id(table, event.schema_version),
        "lineage": {
            "server": "replicate",
            "task": SOURCE,
            "schema": table.schema_name,
            "table": table.name,
            "tableVersion": event.schema_version,
            "timestamp": _time(event.committed_at),
        },
        "tableStructure": {
            "tableColumns": {
                column.name: {
                    "ordinal": column.ordinal,
                    "type": TYPES[column.kind],
                    "length": 0,
                    "precision": 38 if column.kind == "decimal" else 0,
                    "scale": 9 if column.kind == "decimal" else 0,
                    "primaryKeyPosition": column.key_position,
                }
                for column in event.columns
            }
        },
        "dataSchema": None,
    }


def _change(event: ScenarioEvent, place: Place | None) -> dict[str, JsonValue]:
    """Write a row change; a delete's row is in `data`."""
    everything = frozenset(column.name for column in event.columns)
    changed = {
        "insert": everything,
        "update": frozenset(event.changed_columns),
        "delete": frozenset(event.table.key_columns),
    }
    row = event.after if event.after is not None else event.before
    headers: dict[str, JsonValue] = {
        "operation": OPERATIONS[event.kind],
        "changeSequence": "",
        "timestamp": _time(event.snapshot_at),
        "streamPosition": "",
        "transactionId": "",
        "changeMask": None,
        "columnMask": None,
        "transactionEventCounter": None,
        "transactionLastEvent": None,
    }
    if place is not None and event.transaction is not None:
        headers |= {
            "changeSequence": place.change_sequence,
            "timestamp": _time(event.committed_at),
            "streamPosition": f"00000000.01ab5068.00000001.0000.02.0000:88.{event.number}.16",
            "transactionId": f"{event.transaction:032X}",
            "changeMask": mask(event.columns, changed[event.kind]),
            "columnMask": mask(event.columns, everything - event.absent),
            "transactionEventCounter": place.counter,
            "transactionLastEvent": place.is_last,
        }
    return {
        "data": _row(event, row),
        "beforeData": _row(event, event.before) if event.kind == "update" else None,
        "headers": headers,
    }


def _row(event: ScenarioEvent, row: Row | None) -> dict[str, JsonValue] | None:
    """Write all columns; one that was not captured is null, and only the mask says why."""
    if row is None:
        return None
    return {
        column.name: None if column.name in event.absent else row[column.name]
        for column in event.columns
    }


def _time(moment: datetime | None) -> str:
    """Write a time as the vendor does: UTC, milliseconds, no zone."""
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03}" if moment else ""


def write_seed(path: Path = SEED) -> None:
    """Write the scenario as the seed that the fixtures load."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter="\t", lineterminator="\n")
        writer.writerow(
            [
                "value",
                "key",
                "headers_json",
                "topic",
                "partition",
                "offset",
                "timestamp",
                "source",
                "landing_batch",
            ]
        )
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

"""The scenario as custom destinations of Supabase ETL would write it.

The vendor hands over Rust structs; here they are dataclasses, written as a destination's serde
would. Transactions that begin in landing batch 1 have the structs of 2025, later ones those of
2026. Batch 1 holds one event a body, wrapped in its name; batch 2 arrays of events with a `type`;
batch 3 objects with `events`, wrapped again. An event that is sent again is spelled the other way.
`python -m tests.python.vendors.supabase_etl.encoder` writes the seed.
"""

import csv
import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import ClassVar, TypeAlias

from tests.python.scenario.events import SCENARIO
from tests.python.scenario.model import (
    Column,
    ColumnKind,
    Delivery,
    JsonValue,
    RawMessage,
    Row,
    ScenarioEvent,
    Table,
    arrivals,
    carried_by,
    iso_z,
)
from tests.python.scenario.tables import SOURCE

CARRIED = frozenset(
    {
        "snapshot_rows",
        "truncate",
        "partial_images",
        "key_change",
        "key_change_default_identity",
        "schema_messages",
    }
)
SINGLE_BATCH = 1
ARRAY_BATCH = 2
EVENTS_A_BODY = 3
TYPES: Mapping[ColumnKind, str] = {
    "int32": "int4",
    "int64": "int8",
    "float": "float8",
    "decimal": "numeric",
    "text": "text",
    "bool": "bool",
    "date": "date",
    "timestamp": "timestamp",
    "json": "jsonb",
}
NUMERIC_38_9 = (38 << 16 | 9) + 4  # PostgreSQL's type modifier of numeric(38,9)
# Transactions run over the border between 0/FFF… and 0/1000…, where LSNs compared as text go wrong.
FIRST_LSN = 0x0FFF0000
TRANSACTION_BYTES = 0x1000
EVENT_BYTES = 0x40
FIRST_XID = 7000
POSTGRES_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
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
SEED = Path(__file__).parents[4] / "seeds" / "supabase_etl" / "raw_supabase_etl__fixtures.csv"

Cells: TypeAlias = tuple[JsonValue, ...]


@dataclass(frozen=True)
class Lsn:
    """A place in the write-ahead log; as text 0/16B3748."""

    value: int


@dataclass(frozen=True)
class Struct:
    """A struct: an object of its fields. A field of `left_out_if_none` is left out if it is None."""

    left_out_if_none: ClassVar[frozenset[str]] = frozenset()


@dataclass(frozen=True)
class Variant(Struct):
    """A struct that is one variant of an enum, so it is written with the variant's name."""

    variant: ClassVar[str]
    is_newtype: ClassVar[bool] = False


@dataclass(frozen=True)
class SchemaName(Struct):
    """Where a table is."""

    schema: str
    name: str


@dataclass(frozen=True)
class ColumnSchema2025(Struct):
    """`primary` means the replica identity, which is every column of a table that has a full one."""

    name: str
    typ: str
    modifier: int
    nullable: bool
    primary: bool


@dataclass(frozen=True)
class ColumnSchema2026(Struct):
    """A column with its place in the primary key, counted from 1."""

    name: str
    typ: str
    modifier: int
    nullable: bool
    primary_key_ordinal_position: int | None


@dataclass(frozen=True)
class TableSchema(Struct):
    """A table's columns, in the order in which rows list their cells."""

    id: int
    name: SchemaName
    column_schemas: tuple[ColumnSchema2025 | ColumnSchema2026, ...]


@dataclass(frozen=True)
class FullRow(Variant):
    """A whole row, 2026."""

    variant = "Full"
    is_newtype = True
    values: Cells


@dataclass(frozen=True)
class KeyRow(Variant):
    """The cells of the identity's columns only, 2026."""

    variant = "Key"
    is_newtype = True
    values: Cells


@dataclass(frozen=True)
class PartialRow(Variant):
    """A row without the values that PostgreSQL did not send again, 2026."""

    variant = "Partial"
    total_columns: int
    values: Cells
    missing_column_indexes: tuple[int, ...]


@dataclass(frozen=True)
class Event(Variant):
    """What all events have; tx_ordinal since 2026."""

    left_out_if_none = frozenset({"tx_ordinal"})
    start_lsn: Lsn
    commit_lsn: Lsn
    tx_ordinal: int | None


@dataclass(frozen=True)
class Begin(Event):
    """The begin of a transaction; the timestamp is that of its commit."""

    variant = "Begin"
    timestamp: int
    xid: int


@dataclass(frozen=True)
class Commit(Event):
    """The end of a transaction; end_lsn was a number in 2025."""

    variant = "Commit"
    flags: int
    end_lsn: Lsn | int
    timestamp: int


@dataclass(frozen=True)
class Relation(Event):
    """The columns of a table from here on."""

    variant = "Relation"
    table_schema: TableSchema


@dataclass(frozen=True)
class Insert(Event):
    """A new row."""

    variant = "Insert"
    table_id: int
    table_row: Cells


@dataclass(frozen=True)
class Update2025(Event):
    """A changed row; the old one with True if it holds the key only, padded to full width."""

    variant = "Update"
    table_id: int
    table_row: Cells
    old_table_row: tuple[bool, Cells] | None


@dataclass(frozen=True)
class Update2026(Event):
    """A changed row, maybe in part."""

    variant = "Update"
    table_id: int
    updated_table_row: FullRow | PartialRow
    old_table_row: FullRow | KeyRow | None


@dataclass(frozen=True)
class Delete2025(Event):
    """A row that is gone; see Update2025."""

    variant = "Delete"
    table_id: int
    old_table_row: tuple[bool, Cells] | None


@dataclass(frozen=True)
class Delete2026(Event):
    """A row that is gone."""

    variant = "Delete"
    table_id: int
    old_table_row: FullRow | KeyRow | None


@dataclass(frozen=True)
class Truncate2025(Event):
    """Emptied tables."""

    variant = "Truncate"
    options: int
    rel_ids: tuple[int, ...]


@dataclass(frozen=True)
class Truncate2026(Event):
    """Emptied tables, each by its id or its schema."""

    variant = "Truncate"
    options: int
    truncated_tables: tuple[int, ...] | tuple[TableSchema, ...]


@dataclass(frozen=True)
class Copy(Variant):
    """A row of the initial copy. It is no event of the vendor's, and always has a `type`."""

    variant = "Copy"
    table_id: int
    table_row: Cells
    copied_at: str


@dataclass(frozen=True)
class Place:
    """Where a transaction stands in the log, and its events in it."""

    number: int
    is_2026: bool
    ranks: Mapping[int, int]  # by event number, counted from 1
    committed_at: datetime

    @property
    def begin_lsn(self) -> Lsn:
        """Where its first record starts."""
        return Lsn(FIRST_LSN + TRANSACTION_BYTES * self.number)

    @property
    def commit_lsn(self) -> Lsn:
        """Where its commit record starts."""
        return Lsn(self.begin_lsn.value + TRANSACTION_BYTES - EVENT_BYTES)

    @property
    def end_lsn(self) -> Lsn:
        """Where its commit record ends."""
        return Lsn(self.commit_lsn.value + EVENT_BYTES - 8)

    @property
    def timestamp(self) -> int:
        """The commit time in microseconds since 2000."""
        return (self.committed_at - POSTGRES_EPOCH) // timedelta(microseconds=1)

    def of_rank(self, rank: int) -> tuple[Lsn, Lsn, int | None]:
        """The fields that all events have, of the event of that rank."""
        start_lsn = Lsn(self.begin_lsn.value + EVENT_BYTES * rank)
        return start_lsn, self.commit_lsn, rank if self.is_2026 else None

    def begin(self) -> Begin:
        """Its first event."""
        return Begin(*self.of_rank(0), timestamp=self.timestamp, xid=FIRST_XID + self.number)

    def commit(self) -> Commit:
        """Its last event."""
        rank = len(self.ranks) + 1
        return Commit(
            start_lsn=self.commit_lsn,
            commit_lsn=self.commit_lsn,
            tx_ordinal=rank if self.is_2026 else None,
            flags=0,
            end_lsn=self.end_lsn if self.is_2026 else self.end_lsn.value,
            timestamp=self.timestamp,
        )


def encode(events: list[ScenarioEvent]) -> list[RawMessage]:
    """Write the events that the format can carry, in the order in which they arrive."""
    sent = carried_by(events, CARRIED)
    places = _places(sent)
    bodies: dict[int, list[tuple[JsonValue, datetime]]] = defaultdict(list)
    for delivery, event in arrivals(sent):
        moment = event.committed_at or event.snapshot_at
        assert moment is not None
        wraps = (delivery.landing_batch == ARRAY_BATCH) == _is_sent_again(event, delivery)
        for one in _events(event, places):
            bodies[delivery.landing_batch].append((written(one, wraps=wraps), moment))
    return [
        message
        for landing_batch, sent in sorted(bodies.items())
        for message in _messages(landing_batch, sent)
    ]


def _messages(landing_batch: int, sent: Sequence[tuple[JsonValue, datetime]]) -> list[RawMessage]:
    """One event a body, or a few in the batch's kind of envelope."""
    events_a_body = 1 if landing_batch == SINGLE_BATCH else EVENTS_A_BODY
    messages = []
    for offset, start in enumerate(range(0, len(sent), events_a_body)):
        events = [event for event, _ in sent[start : start + events_a_body]]
        body: JsonValue
        if landing_batch == SINGLE_BATCH:
            body = events[0]
        elif landing_batch == ARRAY_BATCH:
            body = events
        else:
            body = {"events": events}
        messages.append(
            RawMessage(
                value=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
                source=SOURCE,
                landing_batch=landing_batch,
                topic=f"shop-events-{landing_batch}",
                partition=0,
                offset=offset,
                timestamp=sent[start][1],
            )
        )
    return messages


def written(value: object, *, wraps: bool) -> JsonValue:
    """Write a struct as serde does: variants wrapped in their names and LSNs as text, or variants
    with a `type` and LSNs as numbers.
    """
    if isinstance(value, Lsn):
        return f"{value.value >> 32:X}/{value.value & 0xFFFFFFFF:X}" if wraps else value.value
    if isinstance(value, Struct):
        content: dict[str, JsonValue] = {
            field.name: written(getattr(value, field.name), wraps=wraps)
            for field in fields(value)
            if field.name not in value.left_out_if_none or getattr(value, field.name) is not None
        }
        if not isinstance(value, Variant):
            return content
        if not wraps or isinstance(value, Copy):
            return {"type": value.variant.lower(), **content}
        return {value.variant: next(iter(content.values())) if value.is_newtype else content}
    if isinstance(value, tuple):
        return [written(one, wraps=wraps) for one in value]
    assert value is None or isinstance(value, bool | int | float | str | list | dict)
    return value


def _is_sent_again(event: ScenarioEvent, delivery: Delivery) -> bool:
    return delivery != min(event.deliveries)


def _places(sent: Sequence[ScenarioEvent]) -> dict[int, Place]:
    """Give every transaction its place, and its generation by where its first event arrives."""
    by_transaction: dict[int, list[ScenarioEvent]] = defaultdict(list)
    for event in sent:
        if event.transaction is not None:
            by_transaction[event.transaction].append(event)
    places = {}
    for number, events in by_transaction.items():
        committed_at = events[0].committed_at
        assert committed_at is not None
        places[number] = Place(
            number=number,
            is_2026=min(events[0].deliveries).landing_batch > SINGLE_BATCH,
            ranks={event.number: rank for rank, event in enumerate(_in_log_order(events), start=1)},
            committed_at=committed_at,
        )
    return places


def _in_log_order(events: Sequence[ScenarioEvent]) -> list[ScenarioEvent]:
    """Put a table's Relation right before the first event that needs it."""

    def place(event: ScenarioEvent) -> tuple[int, bool]:
        if event.kind != "schema":
            return event.number, True
        needing = [
            later.number
            for later in events
            if later.kind != "schema" and event.table in later.tables
        ]
        return min(needing, default=event.number), False

    return sorted(events, key=place)


def _events(event: ScenarioEvent, places: Mapping[int, Place]) -> list[Variant]:
    """The event; Begin comes with the first one of a transaction, Commit with the last one."""
    if event.transaction is None:
        assert event.after is not None and event.snapshot_at is not None
        row = _cells(event.columns, event.after)
        return [Copy(event.table.table_id, row, iso_z(event.snapshot_at))]
    place = places[event.transaction]
    events: list[Variant] = [_change(event, place)]
    if event.number == min(place.ranks):
        events.insert(0, place.begin())
    if event.number == max(place.ranks):
        events.append(place.commit())
    return events


def _change(event: ScenarioEvent, place: Place) -> Event:
    common = place.of_rank(place.ranks[event.number])
    table_id = event.table.table_id
    if event.kind == "schema":
        return Relation(*common, _schema(event.table, event.schema_version, place.is_2026))
    if event.kind == "truncate":
        if not place.is_2026:
            return Truncate2025(*common, 0, tuple(table.table_id for table in event.tables))
        if len(event.tables) == 1:
            return Truncate2026(*common, 0, (table_id,))
        schemas = tuple(_schema(table, event.schema_version, True) for table in event.tables)
        return Truncate2026(*common, 0, schemas)
    if event.kind == "delete":
        if place.is_2026:
            return Delete2026(*common, table_id, _old_row_2026(event))
        return Delete2025(*common, table_id, _old_row_2025(event))
    assert event.after is not None
    row = _cells(event.columns, event.after)
    if event.kind == "insert":
        return Insert(*common, table_id, row)
    if place.is_2026:
        return Update2026(*common, table_id, _updated_row(event), _old_row_2026(event))
    return Update2025(*common, table_id, row, _old_row_2025(event))


def _schema(table: Table, version: int, is_2026: bool) -> TableSchema:
    columns = table.columns(version)
    return TableSchema(
        id=table.table_id,
        name=SchemaName(table.schema_name, table.name),
        column_schemas=tuple(
            _column_2026(column) if is_2026 else _column_2025(table, column) for column in columns
        ),
    )


def _column_2025(table: Table, column: Column) -> ColumnSchema2025:
    return ColumnSchema2025(
        name=column.name,
        typ=TYPES[column.kind],
        modifier=_modifier(column),
        nullable=False,
        primary=table.replica_identity == "full" or column.key_position > 0,
    )


def _column_2026(column: Column) -> ColumnSchema2026:
    return ColumnSchema2026(
        name=column.name,
        typ=TYPES[column.kind],
        modifier=_modifier(column),
        nullable=column.key_position == 0,
        primary_key_ordinal_position=column.key_position or None,
    )


def _modifier(column: Column) -> int:
    return NUMERIC_38_9 if column.kind == "decimal" else -1


def _updated_row(event: ScenarioEvent) -> FullRow | PartialRow:
    assert event.after is not None
    if not event.absent:
        return FullRow(_cells(event.columns, event.after))
    return PartialRow(
        total_columns=len(event.columns),
        values=tuple(
            event.after[column.name] for column in event.columns if column.name not in event.absent
        ),
        missing_column_indexes=tuple(
            column.ordinal - 1 for column in event.columns if column.name in event.absent
        ),
    )


def _old_row_2025(event: ScenarioEvent) -> tuple[bool, Cells] | None:
    assert event.before is not None
    if event.table.replica_identity == "full":
        return False, _cells(event.columns, event.before)
    if not _sends_key(event):
        return None
    key = {name: event.before[name] for name in event.table.key_columns}
    return True, tuple(key.get(column.name) for column in event.columns)


def _old_row_2026(event: ScenarioEvent) -> FullRow | KeyRow | None:
    assert event.before is not None
    if event.table.replica_identity == "full":
        return FullRow(_cells(event.columns, event.before))
    if not _sends_key(event):
        return None
    return KeyRow(
        tuple(event.before[column.name] for column in event.columns if column.key_position > 0)
    )


def _sends_key(event: ScenarioEvent) -> bool:
    return event.kind == "delete" or event.key_changed


def _cells(columns: Sequence[Column], row: Row) -> Cells:
    return tuple(row[column.name] for column in columns)


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

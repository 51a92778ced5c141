"""What the scenario is made of: tables, events in commit order, and the raw messages of encoders.

An encoder turns `list[ScenarioEvent]` into `list[RawMessage]` in its vendor's dialect. What all
dialects share is decided here (content, order, times, what is delivered when and how often);
positions, ids and envelopes are the encoder's own. Positions must grow with
`(transaction, transaction_index)`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal, TypeAlias

JsonValue: TypeAlias = (
    "bool | int | float | str | Sequence[JsonValue] | Mapping[str, JsonValue] | None"
)
Row: TypeAlias = Mapping[str, JsonValue]

Kind = Literal["insert", "update", "delete", "snapshot", "truncate", "schema"]
ColumnKind = Literal[
    "int32", "int64", "float", "decimal", "text", "bool", "date", "timestamp", "json"
]
ReplicaIdentity = Literal["full", "default"]


@dataclass(frozen=True)
class Column:
    """A column of a table.

    In rows, a value of kind int32 and int64 is an int, float a float, bool a bool, json a nested
    JSON value; decimal, text, date and timestamp are str and are sent as that very text. A decimal
    never has trailing zeros, so a dialect may send it as text or as a JSON number.
    """

    name: str
    kind: ColumnKind
    sql_type: str  # in PostgreSQL's words; another dialect chooses its own by `kind`
    ordinal: int  # 1-based
    key_position: int  # 1-based, 0 = not in the key


@dataclass(frozen=True)
class Table:
    """A table of the shop, with every table schema that it has had."""

    schema_name: str
    name: str
    table_id: int  # PostgreSQL's OID
    key_columns: tuple[str, ...]
    replica_identity: ReplicaIdentity
    versions: tuple[tuple[Column, ...], ...]  # versions[0] is schema version 1
    history_ignored_columns: tuple[str, ...] = ()

    def columns(self, schema_version: int) -> tuple[Column, ...]:
        """Columns in ordinal order: `orders.columns(1)`."""
        return self.versions[schema_version - 1]

    def key_values(self, row: Row) -> tuple[str, ...]:
        """The key's values as text, in key order: `("1001", "2")`."""
        return tuple(text_form(row[name]) or "" for name in self.key_columns)


@dataclass(frozen=True, order=True)
class Delivery:
    """One arrival of an event: its landing batch, and a number that orders arrivals within it."""

    landing_batch: int
    order: int


@dataclass(frozen=True)
class ScenarioEvent:
    """One thing that happened, in commit order.

    before, after: the whole row; `absent` names columns of the after image that the source did not
    send. A dialect that has no partial images sends the whole row. An insert and a snapshot have no
    before, a delete has no after; truncate and schema have neither. An update whose key differs
    between before and after is a key change. A snapshot row has no transaction and no commit time
    but `snapshot_at`.
    `needs` names what a format must carry for this event: snapshot_rows, snapshot_time,
    truncate, partial_images, key_change, key_change_default_identity, schema_messages.
    """

    number: int
    kind: Kind
    tables: tuple[Table, ...]  # one, several only for a truncate
    schema_version: int
    note: str
    deliveries: tuple[Delivery, ...]
    transaction: int | None = None
    transaction_index: int | None = None  # 0-based, counts the schema events too
    is_transaction_end: bool = False
    transaction_size: int | None = None  # events of the transaction, schema events too
    committed_at: datetime | None = None
    snapshot_at: datetime | None = None
    before: Row | None = None
    after: Row | None = None
    absent: frozenset[str] = field(default_factory=frozenset)
    needs: frozenset[str] = field(default_factory=frozenset)

    @property
    def table(self) -> Table:
        """The event's only table (the first of a truncate's)."""
        return self.tables[0]

    @property
    def columns(self) -> tuple[Column, ...]:
        """The effective columns, in ordinal order."""
        return self.table.columns(self.schema_version)

    @property
    def after_sent(self) -> Row | None:
        """The after image as a format with partial images sends it."""
        if self.after is None:
            return None
        return {name: value for name, value in self.after.items() if name not in self.absent}

    @property
    def changed_columns(self) -> tuple[str, ...]:
        """Columns of an update that differ between before and after, in ordinal order."""
        if self.kind != "update" or self.before is None or self.after is None:
            return ()
        before, after = self.before, self.after
        return tuple(
            column.name
            for column in self.columns
            if text_form(before.get(column.name)) != text_form(after.get(column.name))
        )

    @property
    def key_changed(self) -> bool:
        """Whether the event moves the row to another key."""
        return any(name in self.table.key_columns for name in self.changed_columns)


@dataclass(frozen=True)
class RawMessage:
    """A row of `cdc_raw.<vendor>`."""

    value: str | None
    source: str
    landing_batch: int
    key: str | None = None
    headers: Mapping[str, str] | None = None
    topic: str | None = None
    partition: int | None = None
    offset: int | None = None
    timestamp: datetime | None = None


def text_form(value: JsonValue) -> str | None:
    """A value as a format that has only text sends it: 7 → "7", True → "true", [1, 2] → "[1,2]"."""
    if value is None or isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def iso_z(moment: datetime) -> str:
    """The moment in UTC with six digits and Z: "2026-03-01T09:00:00.000000Z"."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def arrivals(events: Iterable[ScenarioEvent]) -> list[tuple[Delivery, ScenarioEvent]]:
    """Every delivery of every event in the order of arrival; a duplicate comes repeatedly."""
    delivered = [(delivery, event) for event in events for delivery in event.deliveries]
    return sorted(delivered, key=lambda item: (item[0], item[1].number))


def carried_by(events: Iterable[ScenarioEvent], carried: Iterable[str]) -> list[ScenarioEvent]:
    """The events that a format can carry: those that need nothing beyond what it carries."""
    features = frozenset(carried)
    return [event for event in events if event.needs <= features]

"""Says the scenario as Savegress would: the page's flat events, three ways to deliver them.

Snapshot rows have the portal's shape, all else the page's. Landing batch 1 comes from Kafka, one
event a message with key and headers; batch 2 in batch envelopes; batch 3 in bare arrays.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from tests.python.scenario.model import (
    Delivery,
    RawMessage,
    Row,
    ScenarioEvent,
    Table,
    carried_by,
    iso_z,
)

SOURCE = "fixtures"
CARRIED = (
    "snapshot_rows",
    "snapshot_time",
    "truncate",
    "partial_images",
    "key_change",
    "key_change_default_identity",
)
DATABASE = "shopdb"
KAFKA_BATCH = 1
ENVELOPE_BATCH = 2
EVENTS_PER_ENVELOPE = 3
EVENTS_PER_ARRAY = 2
# Transactions run over the border between 0/… and 1/…, where LSNs compared as text go wrong.
FIRST_LSN = 0xFFFFFF00
LSN_STEP = 0x18
UNSEEN_ROW_NOTE = "An update of a row that was never seen opens it."


@dataclass(frozen=True)
class _Number:
    """A decimal that is written as a JSON number, digit by digit."""

    text: str


_Body = dict[str, object]


@dataclass(frozen=True)
class _Event:
    """One event with what its transport needs to know."""

    delivery: Delivery
    body: _Body
    key: str | None


def encode(events: list[ScenarioEvent]) -> list[RawMessage]:
    """The scenario's messages in the order of arrival."""
    sent = carried_by(events, CARRIED)
    # Of each transaction the first and the last event that are sent carry its markers along.
    last = {event.transaction: event.number for event in sent}
    first = {event.transaction: event.number for event in reversed(sent)}
    encoded: list[_Event] = []
    for event in sent:
        begins = event.number == first[event.transaction]
        ends = event.number == last[event.transaction]
        encoded += _deliveries(event, begins, ends)
    encoded.sort(key=lambda one: one.delivery)
    messages: list[RawMessage] = []
    for batch, arrived in groupby(encoded, key=lambda one: one.delivery.landing_batch):
        messages += _messages(batch, list(arrived))
    return [
        RawMessage(
            value=message.value,
            source=message.source,
            landing_batch=message.landing_batch,
            key=message.key,
            headers=message.headers,
            topic="cdc-events",
            partition=0,
            offset=offset,
        )
        for offset, message in enumerate(messages)
    ]


def _messages(batch: int, events: list[_Event]) -> Iterable[RawMessage]:
    if batch == KAFKA_BATCH:
        for event in events:
            yield RawMessage(_json(event.body), SOURCE, batch, event.key, _headers(event.body))
    elif batch == ENVELOPE_BATCH:
        for number, group in enumerate(_groups(events, EVENTS_PER_ENVELOPE), start=1):
            envelope: Mapping[str, object] = {
                "batch_id": f"batch-{number:03d}",
                "batch_size": 100,
                "batch_timestamp": "2026-03-01T12:00:00Z",
                "events": [event.body for event in group],
            }
            yield RawMessage(_json(envelope), SOURCE, batch)
    else:
        for group in _groups(events, EVENTS_PER_ARRAY):
            yield RawMessage(_json([event.body for event in group]), SOURCE, batch)


def _groups(events: list[_Event], size: int) -> Iterable[list[_Event]]:
    for start in range(0, len(events), size):
        yield events[start : start + size]


def _headers(body: _Body) -> dict[str, str]:
    names = {
        "id": "savegress-event-id",
        "operation": "savegress-operation",
        "table": "savegress-table",
    }
    return {header: str(body[name]) for name, header in names.items() if name in body}


def _deliveries(event: ScenarioEvent, begins: bool, ends: bool) -> Iterable[_Event]:
    """The event as often as it is delivered, with its transaction's markers each time."""
    for delivery in event.deliveries:
        if begins and event.transaction is not None:
            yield _marker(event, "BEGIN", delivery)
        for place, table in enumerate(event.tables):
            yield _Event(delivery, _body(event, table, place), _kafka_key(event, table))
        if ends and event.transaction is not None:
            yield _marker(event, "COMMIT", delivery)


def _marker(event: ScenarioEvent, operation: str, delivery: Delivery) -> _Event:
    """BEGIN or COMMIT: no id, no table, no position."""
    assert event.committed_at is not None
    body: _Body = {
        "operation": operation,
        "transaction_id": f"tx-{event.transaction}",
        "timestamp": iso_z(event.committed_at),
    }
    return _Event(delivery, body, None)


def _body(event: ScenarioEvent, table: Table, place: int) -> _Body:
    if event.kind == "snapshot":
        return _portal_body(event, table)
    assert event.committed_at is not None
    assert event.transaction is not None
    assert event.transaction_index is not None
    lsn = FIRST_LSN + event.transaction * LSN_STEP
    operation = "UPSERT" if event.note == UNSEEN_ROW_NOTE else event.kind.upper()
    body: _Body = {
        "id": f"evt-{event.number:04d}-{place}",
        "source": "postgres",
        "schema": table.schema_name,
        "table": table.name,
        "operation": operation,
        "timestamp": iso_z(event.committed_at),
        "transaction_id": f"tx-{event.transaction}",
        "position": {
            "lsn": f"{lsn >> 32:X}/{lsn & 0xFFFFFFFF:X}",
            # Free numbers for the tables of one truncate between two events.
            "sequence": event.transaction_index * 10 + place,
        },
    }
    if event.kind == "truncate" and len(event.tables) == 1:
        body |= {
            "operation": "DDL",
            "ddl_type": "TRUNCATE_TABLE",
            "ddl_command": f"TRUNCATE TABLE {table.schema_name}.{table.name}",
        }
    body |= {
        "before": _image(table, _before(event, table)),
        "after": _image(table, event.after_sent),
        "metadata": {
            "connector_version": "1.0.0",
            "database": DATABASE,
            "server": "db1.example.com",
            "server_id": 12345,
            "captured_at": iso_z(event.committed_at),
        },
    }
    return body


def _portal_body(event: ScenarioEvent, table: Table) -> _Body:
    assert event.snapshot_at is not None
    return {
        "id": f"550e8400-e29b-41d4-a716-{event.number:012d}",
        "operation": "snapshot",
        "timestamp": iso_z(event.snapshot_at),
        "source": {
            "type": "postgres",
            "database": DATABASE,
            "schema": table.schema_name,
            "table": table.name,
        },
        "before": None,
        "after": _image(table, event.after_sent),
        "metadata": {"connector_version": "1.0.0"},
    }


def _before(event: ScenarioEvent, table: Table) -> Row | None:
    """The whole row under full replica identity, else the key where it is needed."""
    if event.before is None or table.replica_identity == "full":
        return event.before
    if event.kind == "delete" or event.key_changed:
        return {name: event.before[name] for name in table.key_columns}
    return None


def _image(table: Table, row: Row | None) -> _Body | None:
    """The row; decimals of orders are JSON numbers, as in samples, others text, as documented."""
    if row is None:
        return None
    kinds = {column.name: column.kind for version in table.versions for column in version}
    return {
        name: _Number(value)
        if table.name == "orders" and kinds[name] == "decimal" and isinstance(value, str)
        else value
        for name, value in row.items()
    }


def _kafka_key(event: ScenarioEvent, table: Table) -> str:
    row = event.before if event.after is None else event.after
    return table.name if row is None else f"{table.name}:{','.join(table.key_values(row))}"


def _json(value: object) -> str:
    """Compact JSON; `json.dumps` would pass a long decimal through float."""
    if isinstance(value, _Number):
        return value.text
    if isinstance(value, Mapping):
        return "{" + ",".join(f"{_json(name)}:{_json(one)}" for name, one in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ",".join(_json(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False)

"""Writes the scenario as SQL Server's Change Event Streaming sends it.

Three generations of the envelope are spoken, one per table, so that the scenario passes through all
of them: `segmentindex` counted from 0 (documentation of August 2026), counted from 1 (a capture of
June 2025) and `splitindex` (the first preview). A table without full replica identity is streamed
with include_all_columns = 0 and include_old_values = 0. Some changes are split into segments.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from tests.python.scenario.model import (
    ColumnKind,
    Delivery,
    JsonValue,
    RawMessage,
    Row,
    ScenarioEvent,
    arrivals,
    carried_by,
    iso_z,
    text_form,
)

CARRIES = ("partial_images", "key_change", "key_change_default_identity")
SOURCE = "fixtures"
TOPIC = "shop-changes"
STREAM = "6f9d2c1a-0b57-4c0e-9a55-3f1f0d9a7e21"
OPERATIONS = {"insert": "INS", "update": "UPD", "delete": "DEL"}

SQL_TYPES: dict[ColumnKind, str] = {
    "int32": "int",
    "int64": "bigint",
    "float": "float",
    "decimal": "decimal(38,9)",
    "text": "nvarchar(max)",
    "bool": "bit",
    "date": "date",
    "timestamp": "datetime2(6)",
    "json": "nvarchar(max)",
}

SEGMENTS = {11: 2, 13: 3, 20: 4, 31: 2, 68: 3}
"""Events that are too big for one message, and into how many segments they are cut."""
LATE_LAST_SEGMENT = frozenset({13})
"""Events whose last segment lands one batch later than the others."""


@dataclass(frozen=True)
class Generation:
    """What differs between the versions of the envelope."""

    counter: Literal["segmentindex", "splitindex"]
    first_index: int
    content_type: str
    indent: int | None  # of the text in `data`
    has_transaction: bool
    has_final_event: bool


NEWEST = Generation("segmentindex", 0, "application/json", None, True, True)
CAPTURED = Generation("segmentindex", 1, "application/avro-json", 2, True, False)
FIRST_PREVIEW = Generation("splitindex", 0, "application/json", 2, False, False)
GENERATIONS = {"customers": CAPTURED, "order_lines": FIRST_PREVIEW}


def encode(events: Sequence[ScenarioEvent]) -> list[RawMessage]:
    """The messages of the events that the format can carry, in the order of their arrival."""
    sent = carried_by(events, CARRIES)
    sequence_numbers = number_within_transactions(sent)
    arriving: list[tuple[Delivery, str]] = []
    for arrival, (delivery, event) in enumerate(arrivals(sent)):
        bodies = encode_event(event, sequence_numbers[event.number], arrival)
        # Segments come in no particular order: here the last one first.
        for index, body in reversed(list(enumerate(bodies))):
            is_late = event.number in LATE_LAST_SEGMENT and index == len(bodies) - 1
            batch = delivery.landing_batch + 1 if is_late else delivery.landing_batch
            arriving.append((Delivery(batch, delivery.order), body))
    arriving.sort(key=lambda item: item[0])
    offsets: dict[int, int] = defaultdict(int)
    messages = []
    for number, (delivery, body) in enumerate(arriving):
        partition = number % 2  # the default partition scheme is round robin
        messages.append(
            RawMessage(
                value=body,
                source=SOURCE,
                landing_batch=delivery.landing_batch,
                topic=TOPIC,
                partition=partition,
                offset=offsets[partition],
            )
        )
        offsets[partition] += 1
    return messages


def number_within_transactions(events: Sequence[ScenarioEvent]) -> dict[int, int]:
    """The sequence number of each event: changes of a transaction count from 1."""
    counts: dict[int | None, int] = defaultdict(int)
    numbers = {}
    for event in events:
        counts[event.transaction] += 1
        numbers[event.number] = counts[event.transaction]
    return numbers


def encode_event(event: ScenarioEvent, sequence_number: int, arrival: int) -> list[str]:
    """The CloudEvents of one change: one, or its segments in order."""
    generation = GENERATIONS.get(event.table.name, NEWEST)
    data = json.dumps(
        encode_data(event, sequence_number, generation),
        ensure_ascii=False,
        indent=generation.indent,
        separators=None if generation.indent else (",", ":"),
    )
    count = SEGMENTS.get(event.number, 1)
    size = -(-len(data) // count)
    fragments = [data[start : start + size] for start in range(0, len(data), size)]
    return [
        json.dumps(
            {
                "specversion": "1.0",
                "type": "com.microsoft.SQL.CES.DML.V1",
                "source": "/",
                # a change that is sent again may have the same ids or others
                "id": str(uuid5(NAMESPACE_URL, f"{event.number}/{index}/{arrival}")),
                "logicalid": logical_id(event, sequence_number),
                "time": commit_time(event),
                "datacontenttype": generation.content_type,
                "operation": OPERATIONS[event.kind],
                **counters(generation, index, len(fragments)),
                "data": fragment,
            },
            ensure_ascii=False,
        )
        for index, fragment in enumerate(fragments)
    ]


def counters(generation: Generation, index: int, count: int) -> dict[str, JsonValue]:
    """The attributes that place a segment: `{"segmentindex": 1, "finalsegment": True}`."""
    if generation.counter == "splitindex":
        return {"splitindex": index, "splittotalcnt": count if count > 1 else 0}
    return {
        "segmentindex": index + generation.first_index,
        "finalsegment": index == count - 1,
    }


def encode_data(
    event: ScenarioEvent, sequence_number: int, generation: Generation
) -> dict[str, JsonValue]:
    """The object whose text is sent as `data`."""
    has_all_columns = event.table.replica_identity == "full"
    before = event.before if has_all_columns else None
    after = event.after_sent
    sent = after if after is not None else before or {}
    # Of a table without all columns, a delete lists its key only.
    listed = sent or {name: None for name in event.table.key_columns}
    eventsource: dict[str, JsonValue] = {
        "db": "shop",
        "schema": event.table.schema_name,
        "tbl": event.table.name,
        "cols": [
            {"name": column.name, "type": SQL_TYPES[column.kind], "index": column.ordinal - 1}
            for column in event.columns
            if column.name in listed
        ],
        "pkkey": encode_key(event),
    }
    if generation.has_transaction:
        # committime is the server's local time with a false Z, a known issue: here two hours ahead
        assert event.committed_at is not None
        eventsource["transaction"] = {
            "commitlsn": colons(commit_lsn(event)),
            "beginlsn": colons(commit_lsn(event)[:-4] + "0001"),
            "sequencenumber": sequence_number,
            **({"finalevent": False} if generation.has_final_event else {}),
            "committime": milliseconds(iso_z(event.committed_at + timedelta(hours=2))),
        }
    return {
        "eventsource": eventsource,
        "eventrow": {"old": encode_image(before), "current": encode_image(after)},
    }


def encode_key(event: ScenarioEvent) -> list[JsonValue]:
    """pkkey; of a key change the old key, which is what an event without old values needs."""
    row = event.before if event.before is not None else event.after
    assert row is not None
    return [
        {"columnname": name, "value": value}
        for name, value in zip(event.table.key_columns, event.table.key_values(row), strict=True)
    ]


def encode_image(row: Row | None) -> str:
    """A row as JSON text whose values are all text: `{"id":"7"}`; `{}` where there is none."""
    values = {name: text_form(value) for name, value in (row or {}).items()}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def commit_lsn(event: ScenarioEvent) -> str:
    """20 hexadecimal digits that grow with the transaction."""
    return f"0000002C{event.transaction or 0:08X}0011"


def colons(lsn: str) -> str:
    """`0000002C000007300011` as `0000002C:00000730:0011`."""
    return f"{lsn[:8]}:{lsn[8:16]}:{lsn[16:]}"


def logical_id(event: ScenarioEvent, sequence_number: int) -> str:
    """Stream, commit LSN and sequence number."""
    return f"{STREAM}:{commit_lsn(event)}:{sequence_number:020d}"


def commit_time(event: ScenarioEvent) -> str:
    """The commit time in UTC, milliseconds."""
    assert event.committed_at is not None
    return milliseconds(iso_z(event.committed_at))


def milliseconds(time: str) -> str:
    """`2026-03-01T09:00:00.000000Z` as `2026-03-01T09:00:00.000Z`."""
    return f"{time[:-4]}Z"

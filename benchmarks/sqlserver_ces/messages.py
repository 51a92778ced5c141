"""The benchmark's history as SQL Server CES sends it, with all columns or with the changed ones alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from uuid import NAMESPACE_URL, uuid5

from benchmarks.history import COLUMNS, DELETE, NAMES, UPDATE, Change

# How a table is streamed cannot be known from a short image, so it is said.
CONFIGURATION = [("sqlserver_ces", "bench", "shop", "orders", None, None, "full", None)]
PARTIAL_CONFIGURATION = [("sqlserver_ces", "bench", "shop", "orders", None, None, "default", None)]
OPERATIONS = ("INS", "UPD", "DEL")
TYPES = {"number": "bigint", "text": "nvarchar(400)", "decimal": "decimal(12,2)", "boolean": "bit"}
STREAM = "6f9d2c1a-0b57-4c0e-9a55-3f1f0d9a7e21"
DESCRIBED = [
    f'{{"name":"{name}","type":"{TYPES[kind]}","index":{place}}}'
    for place, (name, kind) in enumerate(COLUMNS)
]


def _image(values: Sequence[str], columns: Sequence[int]) -> str:
    """A row as text whose values are all text."""
    sent = [f'"{NAMES[column]}":{_text(values[column])}' for column in columns]
    return "{" + ",".join(sent) + "}"


def _text(value: str) -> str:
    return value if value.startswith('"') else f'"{value}"'


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


def _encode(change: Change, has_all_columns: bool) -> list[str]:
    everything = range(len(COLUMNS))
    listed: Sequence[int] = everything
    if not has_all_columns and change.operation == UPDATE:
        listed = (0, *change.changed)
    if not has_all_columns and change.operation == DELETE:
        listed = (0,)
    image = _image(change.values, listed)
    old, current = "{}", image
    if change.operation == DELETE:
        old, current = (image, "{}") if has_all_columns else ("{}", "{}")
    commit = f"0000002C{change.transaction:08X}0011"
    sequence_number = change.index + 1
    time = f"{change.committed_at:%Y-%m-%dT%H:%M:%S}.{change.committed_at.microsecond // 1000:03}Z"
    data = (
        '{"eventsource":{"db":"shop","schema":"shop","tbl":"orders","cols":['
        + ",".join([DESCRIBED[column] for column in listed])
        + f'],"pkkey":[{{"columnname":"id","value":"{change.key}"}}],'
        f'"transaction":{{"commitlsn":"{commit[:8]}:{commit[8:16]}:{commit[16:]}",'
        f'"beginlsn":"{commit[:8]}:{commit[8:16]}:0001","sequencenumber":{sequence_number},'
        f'"committime":"{time}"}}}},'
        f'"eventrow":{{"old":"{_escaped(old)}","current":"{_escaped(current)}"}}}}'
    )
    return [
        '{"specversion":"1.0","type":"com.microsoft.SQL.CES.DML.V1","source":"/",'
        f'"id":"{uuid5(NAMESPACE_URL, str(change.number))}",'
        f'"logicalid":"{STREAM}:{commit}:{sequence_number:020d}",'
        f'"time":"{time}","datacontenttype":"application/json",'
        f'"operation":"{OPERATIONS[change.operation]}","segmentindex":1,"finalsegment":true,'
        f'"data":{json.dumps(data, ensure_ascii=False)}}}'
    ]


def encode(change: Change) -> list[str]:
    """Write a change of a table with include_all_columns=1."""
    return _encode(change, has_all_columns=True)


def encode_partial(change: Change) -> list[str]:
    """Write a change of a table with include_all_columns=0: key and changed columns."""
    return _encode(change, has_all_columns=False)

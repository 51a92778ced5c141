"""The benchmark's history as Supabase ETL's interchange form has it: positional rows, key identity."""

from __future__ import annotations

from benchmarks.history import COLUMNS, DELETE, INSERT, Change

TYPES = {"number": "int8", "text": "text", "decimal": "numeric", "boolean": "bool"}
TABLE_ID = 16402
POSTGRES_EPOCH_MICROS = 946_684_800_000_000
RELATION_COLUMNS = ",".join(
    f'{{"name":"{name}","typ":"{TYPES[kind]}","modifier":-1,"nullable":true,'
    f'"primary":{"true" if name == "id" else "false"}}}'
    for name, kind in COLUMNS
)


def _lsn(number: int) -> str:
    return f"{number >> 32:X}/{number & 0xFFFFFFFF:X}"


def encode(change: Change) -> list[str]:
    """Write a change with the Begin, Relation and Commit that stand around it."""
    start = 0x0FFF0000 + change.transaction * 0x1000
    lsns = f'"start_lsn":"{_lsn(start + 0x40 + change.index * 0x40)}","commit_lsn":"{_lsn(start + 0xFC0)}"'
    micros = round(change.committed_at.timestamp() * 1_000_000) - POSTGRES_EPOCH_MICROS
    row = "[" + ",".join(change.values) + "]"
    bodies = []
    if change.index == 0:
        bodies.append(
            f'{{"Begin":{{"start_lsn":"{_lsn(start)}","commit_lsn":"{_lsn(start + 0xFC0)}",'
            f'"timestamp":{micros},"xid":{change.transaction}}}}}'
        )
    if change.number == 1:
        bodies.append(
            f'{{"Relation":{{"start_lsn":"{_lsn(start + 0x20)}","commit_lsn":"{_lsn(start + 0xFC0)}",'
            f'"table_schema":{{"id":{TABLE_ID},"name":{{"schema":"shop","name":"orders"}},'
            f'"column_schemas":[{RELATION_COLUMNS}]}}}}}}'
        )
    if change.operation == DELETE:
        key_row = "[" + ",".join([change.values[0]] + ["null"] * (len(COLUMNS) - 1)) + "]"
        bodies.append(
            f'{{"Delete":{{{lsns},"table_id":{TABLE_ID},"old_table_row":[true,{key_row}]}}}}'
        )
    else:
        name = "Insert" if change.operation == INSERT else "Update"
        old_row = "" if change.operation == INSERT else ',"old_table_row":null'
        bodies.append(f'{{"{name}":{{{lsns},"table_id":{TABLE_ID},"table_row":{row}{old_row}}}}}')
    if change.is_last:
        bodies.append(
            f'{{"Commit":{{"start_lsn":"{_lsn(start + 0xFC0)}","commit_lsn":"{_lsn(start + 0xFC0)}",'
            f'"flags":0,"end_lsn":{start + 0xFF8},"timestamp":{micros}}}}}'
        )
    return bodies

"""Situations of Qlik Replicate that are reported in public, as small messages."""

from __future__ import annotations

from typing import Any

from tests.python.helpers.situations import Row, Situation, Version, carried


def _columns(
    schema_id: str, version: int, minute: int, keys: tuple[str, ...], *names: str
) -> dict[str, Any]:
    columns = {
        name: {
            "ordinal": ordinal,
            "type": "STRING",
            "primaryKeyPosition": keys.index(name) + 1 if name in keys else 0,
        }
        for ordinal, name in enumerate(names, start=1)
    }
    lineage = {
        "schema": "HR", "table": "halls", "tableVersion": version,
        "timestamp": f"2026-04-01T09:{minute:02d}:00.000",
    }  # fmt: skip
    message = {
        "schemaId": schema_id,
        "lineage": lineage,
        "tableStructure": {"tableColumns": columns},
    }
    return {"magic": "atMSG", "type": "MD", "messageSchemaId": None, "message": message}


def _message(
    operation: str,
    sequence: int,
    minute: int,
    data: dict[str, Any],
    before: dict[str, Any] | None = None,
    *,
    schema_id: str | None = "S1",
    mask: str | None = None,
    change_mask: str | None = None,
) -> dict[str, Any]:
    headers = {
        "operation": operation, "changeSequence": f"{sequence:035d}",
        "timestamp": f"2026-04-01T09:{minute:02d}:00.000", "transactionId": f"{sequence:04X}",
        "changeMask": change_mask, "columnMask": mask, "transactionEventCounter": 1, "transactionLastEvent": True,
    }  # fmt: skip
    return {
        "magic": "atMSG", "type": "DT", "messageSchemaId": schema_id,
        "message": {"data": data, "beforeData": before, "headers": headers},
    }  # fmt: skip


def _refresh(data: dict[str, Any]) -> dict[str, Any]:
    message = {
        "data": data,
        "beforeData": None,
        "headers": {"operation": "REFRESH", "changeSequence": ""},
    }
    return {"magic": "atMSG", "type": "DT", "messageSchemaId": "S1", "message": message}


def _at(minute: int) -> str:
    return f"2026-04-01 09:{minute:02d}:00"


SITUATIONS = [
    Situation(
        "qlik_null_in_a_unique_index",
        "a key of several columns may hold a null, which is equal to itself",
        (
            carried(
                [
                    _columns("S1", 1, 0, ("building", "wing"), "building", "wing", "desks"),
                    _message("INSERT", 1, 1, {"building": "b", "wing": None, "desks": "1"}, mask="07"),
                    _message("INSERT", 2, 1, {"building": "b", "wing": "east", "desks": "2"}, mask="07"),
                    _message("INSERT", 3, 1, {"building": None, "wing": None, "desks": "3"}, mask="07"),
                ],
                topic="HR.halls",
            ),
            carried(
                [
                    _message(
                        "UPDATE", 4, 5, {"building": "b", "wing": None, "desks": "4"},
                        {"building": "b", "wing": None, "desks": "1"}, mask="07",
                    ),
                    _message(
                        "UPDATE", 5, 6, {"building": "b", "wing": "west", "desks": "4"},
                        {"building": "b", "wing": None, "desks": "4"}, mask="07",
                    ),
                    # The wing's bit is not set: it was not sent.
                    _message("UPDATE", 6, 7, {"building": "b", "wing": None, "desks": "5"}, mask="05"),
                ],
                topic="HR.halls",
                start=4,
            ),
        ),
        (
            Row("halls", {"building": "b", "wing": "east", "desks": "2"}),
            Row("halls", {"building": "b", "wing": "west", "desks": "4"}),
            Row("halls", {"building": "b", "wing": None, "desks": "4"}, is_deleted=True),
        ),
        rejected=2,
    ),
    Situation(
        "qlik_loaded_twice",
        "of two full loads without positions the one that was carried later counts",
        (
            carried([_refresh({"id": "1", "v": "second"})], topic="HR.halls", start=7),
            carried(
                [_columns("S1", 1, 0, ("id",), "id", "v"), _refresh({"id": "1", "v": "first"})],
                topic="HR.halls",
            ),
        ),
        (Row("halls", {"id": "1", "v": "second"}),),
    ),
    Situation(
        "qlik_dropped_column",
        "a partial image inherits no column that its metadata message does not name",
        (
            carried(
                [
                    _columns("S1", 1, 0, ("id",), "id", "nick", "plan", "note"),
                    _message("INSERT", 1, 1, {"id": "1", "nick": "n", "plan": "a", "note": "x"}, mask="0F"),
                ],
                topic="HR.halls",
            ),
            carried(
                [
                    _columns("S2", 2, 4, ("id",), "id", "plan", "note"),
                    _message("UPDATE", 2, 5, {"id": "1", "plan": "b"}, schema_id="S2", mask="03"),
                ],
                topic="HR.halls",
                start=2,
            ),
        ),
        (Row("halls", {"id": "1", "plan": "b", "note": "x"}),),
        versions=(
            Version({"id": "1", "nick": "n", "plan": "a", "note": "x"}, _at(1), _at(5), "update"),
            Version({"id": "1", "plan": "b", "note": "x"}, _at(5)),
        ),
    ),
    Situation(
        "qlik_list_on_one_line",
        "a list of messages on one line is taken apart",
        (
            carried(
                [
                    [
                        _columns("S1", 1, 0, ("id",), "id", "v"),
                        _message("INSERT", 1, 1, {"id": "1", "v": 0.1}, mask="03"),
                        _message("UPDATE", 2, 2, {"id": "1", "v": 2.5}, mask="03"),
                    ],
                    [],
                ],
                topic="HR.halls",
            ),
        ),
        (Row("halls", {"id": "1", "v": 2.5}),),
    ),
    Situation(
        "qlik_short_change_mask",
        "a mask may lack leading zero bytes: the page writes 0B for a table of ten columns",
        (
            carried(
                [
                    _columns("S1", 1, 0, ("c",), *"abcdefghij"),
                    _message("INSERT", 1, 1, dict.fromkeys("abcdefghij", "x"), mask="03FF"),
                    _message(
                        "UPDATE", 2, 2, dict.fromkeys("abcdefghij", "x") | {"a": "y", "b": "y", "d": "y"},
                        dict.fromkeys("abcdefghij", "x"), mask="03FF", change_mask="0B",
                    ),
                ],
                topic="HR.halls",
            ),
        ),
        (Row("halls", dict.fromkeys("abcdefghij", "x") | {"a": "y", "b": "y", "d": "y"}),),
    ),
    Situation(
        "qlik_table_named_log",
        "a topic names its table whatever the table is called",
        (
            carried(
                [
                    _message("INSERT", 1, 1, {"id": "1", "level": "WARN"}, schema_id=None, mask="03"),
                    _message("UPDATE", 2, 2, {"id": "1", "level": "ERROR"}, schema_id=None, mask="03"),
                ],
                topic="dbo.Log",
            ),
        ),
        (Row("Log", {"id": "1", "level": "ERROR"}),),
        tables=("*,Log,id,,,",),
    ),
    Situation(
        "qlik_column_called_table_name",
        "a column of the table's own that is called tableName names no table",
        (
            carried(
                [_message("INSERT", 1, 1, {"id": "5", "tableName": "orders"}, schema_id=None, mask="03")],
                topic="dbo.audit_entries",
            ),
        ),
        (Row("audit_entries", {"id": "5", "tableName": "orders"}),),
        tables=("*,audit_entries,id,,,", "*,orders,id,,,"),
    ),
    Situation(
        "qlik_deletes_that_name_the_key_alone",
        "a delete needs its key alone: in an image without a schema, beside an empty image, or in the key of the message",
        (
            carried(
                [
                    _message("INSERT", number, 1, {"id": str(number), "city": "Ulm"}, schema_id=None, mask="03")
                    for number in (1, 2, 3, 4)
                ],
                topic="CRM.leads",
            ),
            carried(
                [
                    _message("DELETE", 11, 5, {"id": "1", "city": None}, schema_id=None, mask="01"),
                    _message("DELETE", 12, 5, {}, {"id": "2", "city": "Ulm"}, schema_id=None, mask="03"),
                    _message("DELETE", 13, 5, {}, {}, schema_id=None, mask="03"),
                    _message("DELETE", 14, 5, {}, None, schema_id=None, mask="03"),
                ],
                topic="CRM.leads",
                start=4,
                keys=[None, None, '{"id": "3"}', "4"],
            ),
        ),
        (
            Row("leads", {"id": "1", "city": "Ulm"}, is_deleted=True),
            Row("leads", {"id": "2", "city": "Ulm"}, is_deleted=True),
            Row("leads", {"id": "3", "city": "Ulm"}, is_deleted=True),
            Row("leads", {"id": "4", "city": "Ulm"}),
        ),
        tables=("*,leads,id,,,",),
        rejected=1,
        reasons=("MISSING_KEY_IMAGE",),
    ),
]  # fmt: skip

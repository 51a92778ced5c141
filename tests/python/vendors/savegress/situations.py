"""Situations of Savegress that are reported in public, as small events."""

from __future__ import annotations

from typing import Any

from tests.python.integration.situations import Row, Situation, Version, carried


def _event(
    operation: str,
    table: str,
    lsn: str,
    minute: int,
    after: dict[str, Any] | None = None,
    before: dict[str, Any] | None = None,
    **more: Any,
) -> dict[str, Any]:
    return {
        "id": f"{table} {lsn} {operation}", "source": "postgres", "schema": "public", "table": table,
        "operation": operation, "timestamp": f"2026-04-01T09:{minute:02d}:00Z",
        "position": {"lsn": lsn, "sequence": 1}, "before": before, "after": after,
        "metadata": {"connector_version": "1.0.0", "database": "campus", "server": "db1"},
    } | more  # fmt: skip


def _ddl(table: str, lsn: str, minute: int, command: str, **more: Any) -> dict[str, Any]:
    return _event("DDL", table, lsn, minute, ddl_type="DDL", ddl_command=command, **more)


def _at(minute: int) -> str:
    return f"2026-04-01 09:{minute:02d}:00"


SITUATIONS = [
    Situation(
        "savegress_dropped_column",
        "a column that a DDL event drops is inherited by no later image, also if the event lands late",
        (
            carried(
                [
                    _event("INSERT", "contacts", "0/10", 0, {"id": 1, "name": "a", "phone": "1", "fax": "2"}),
                    _event("UPDATE", "contacts", "0/40", 4, {"id": 1, "name": "c"}),
                ],
                topic="cdc",
            ),
            carried(
                [
                    _ddl("contacts", "0/30", 3, 'ALTER TABLE public."contacts" DROP COLUMN IF EXISTS phone, RENAME COLUMN "fax" TO mail'),
                    _event("UPDATE", "contacts", "0/20", 2, {"id": 1, "name": "b"}),
                ],
                topic="cdc",
                start=2,
            ),
        ),
        (Row("contacts", {"id": 1, "name": "c"}),),
        tables=("public,contacts,id,,,",),
        versions=(
            Version({"id": 1, "name": "a", "phone": "1", "fax": "2"}, _at(0), _at(2), "update"),
            Version({"id": 1, "name": "b", "phone": "1", "fax": "2"}, _at(2), _at(4), "update"),
            Version({"id": 1, "name": "c"}, _at(4)),
        ),
    ),
    Situation(
        "savegress_dropped_table",
        "the end of a table ends its rows, and a table that comes back begins anew",
        (
            carried(
                [
                    _event("INSERT", "halls", "0/10", 0, {"id": 1, "name": "a"}),
                    _event("INSERT", "halls", "0/11", 0, {"id": 2, "name": "a"}),
                    _event("INSERT", "halls", "0/40", 4, {"id": 2, "seats": 9}),
                ],
                topic="cdc",
            ),
            carried([_ddl("halls", "0/30", 3, "DROP TABLE IF EXISTS public.halls CASCADE")] * 2, topic="cdc", start=3),
        ),
        (Row("halls", {"id": 1, "name": "a"}, is_deleted=True), Row("halls", {"id": 2, "seats": 9})),
        tables=("public,halls,id,,,",),
        versions=(
            Version({"id": 1, "name": "a"}, _at(0), _at(3), "drop"),
            Version({"id": 2, "name": "a"}, _at(0), _at(3), "drop"),
            Version({"id": 2, "seats": 9}, _at(4)),
        ),
    ),
    Situation(
        "savegress_ties_in_a_batch",
        "events of one batch that share a position lie in the order of the list",
        (
            carried([_event("INSERT", "seats", "0/10", 0, {"id": 1, "row": "a"})], topic="cdc"),
            carried(
                [
                    {
                        "batch_id": "b",
                        "events": [
                            _event("DELETE", "seats", "0/20", 5, before={"id": 1, "row": "a"}),
                            _event("INSERT", "seats", "0/20", 5, {"id": 1, "row": "b"}),
                            _event("UPDATE", "seats", "0/20", 5, {"id": 1, "row": "c"}),
                        ],
                    }
                ],
                topic="cdc",
                start=1,
            ),
        ),
        (Row("seats", {"id": 1, "row": "c"}),),
        tables=("public,seats,id,,full,",),
        versions=(
            Version({"id": 1, "row": "a"}, _at(0), _at(5), "delete"),
            Version({"id": 1, "row": "b"}, _at(5), _at(5), "update"),
            Version({"id": 1, "row": "c"}, _at(5)),
        ),
    ),
    Situation(
        "savegress_number_keys",
        "a number in a key counts by its value in whatever spelling, and a text by its text",
        (
            carried(
                [
                    *[
                        f'{{"id":"m{number}","schema":"public","table":"meters","operation":"UPDATE","timestamp":"2026-04-01T09:0{number}:00Z",'
                        f'"position":{{"lsn":"0/1{number}"}},"before":null,"after":{{"id":{spelling},"n":{number}}},"metadata":{{"database":"campus"}}}}'
                        for number, spelling in enumerate(
                            ["7000", "7E+3", "7000.0", '"7000"', '"7000.0"', "0.50", "5e-1", "-0", "0"]
                        )
                    ],
                ],
                topic="cdc",
            ),
        ),
        (
            Row("meters", {"id": 0, "n": 8}),
            Row("meters", {"id": 0.5, "n": 6}),
            Row("meters", {"id": "7000", "n": 3}),
            Row("meters", {"id": "7000.0", "n": 4}),
        ),
        tables=("public,meters,id,,full,",),
    ),
    Situation(
        "savegress_number_keys_of_two_columns",
        "the same in a key of several columns, of which one may be null",
        (
            carried(
                [
                    f'{{"id":"p{number}","schema":"public","table":"pairs","operation":"UPDATE","timestamp":"2026-04-01T09:0{number}:00Z",'
                    f'"position":{{"lsn":"0/1{number}"}},"before":null,"after":{after},"metadata":{{"database":"campus"}}}}'
                    for number, after in enumerate(
                        [
                            '{"a":1,"b":null,"n":1}', '{"a":1.0,"b":null,"n":2}', '{"b":2,"a":null,"n":3}', '{"a":null,"b":2e0,"n":4}',
                            '{"a":null,"b":null,"n":5}', '{"a":1,"n":6}',
                        ]
                    )
                ],
                topic="cdc",
            ),
        ),
        (Row("pairs", {"a": 1.0, "b": None, "n": 2}), Row("pairs", {"a": None, "b": 2e0, "n": 4})),
        tables=('public,pairs,"a, b",,full,',),
        rejected=2,
    ),
    Situation(
        "savegress_same_id_waits_for_a_key",
        "an event with a known id and other values waits for its key, and its delivery again is a duplicate",
        (
            carried(
                [_event("INSERT", "nokey", "0/10", 0, {"id": 1, "v": "first"}, id="e1")],
                topic="cdc",
                keys=["nokey:1"],
            ),
            carried(
                [
                    _event("INSERT", "nokey", "0/10", 0, {"id": 1, "v": "second"}, id="e1"),
                    _event("INSERT", "nokey", "0/10", 0, {"id": 1, "v": "first"}, id="e1"),
                ],
                topic="cdc",
                start=1,
            ),
        ),
        (Row("nokey", {"id": 1, "v": "first"}),),
        pending=1,
    ),
    Situation(
        "savegress_same_id_gets_its_key_later",
        "once its key is there, it is a change of its own, in conflict with the other one",
        (
            carried(
                [
                    _event("INSERT", "latekey", "0/10", 0, {"id": 1, "v": "first"}, id="e1"),
                    _event("INSERT", "latekey", "0/10", 0, {"id": 1, "v": "second"}, id="e1"),
                ],
                topic="cdc",
                keys=["latekey:1"],
            ),
            carried(
                [_event("INSERT", "latekey", "0/10", 0, {"id": 1, "v": "second"}, id="e1")],
                topic="cdc",
                start=2,
                keys=["latekey:1"],
            ),
        ),
        (Row("latekey", {"id": 1, "v": "second"}),),
        versions=(
            Version({"id": 1, "v": "first"}, _at(0), _at(0), "update"),
            Version({"id": 1, "v": "second"}, _at(0)),
        ),
        warnings=frozenset({"CONFLICTING_DELIVERIES"}),
    ),
    Situation(
        "savegress_names_with_separators",
        "names that hold what separates texts elsewhere name a table of their own",
        (
            carried(
                [
                    _event("INSERT", "names", "0/10", 0, {"id": 1, "v": "no database"}, metadata={}),
                    _event("INSERT", "names", "0/20", 1, {"id": 1, "v": "another"}, metadata={"database": "\u0002"}),
                    _event("INSERT", "a\u0001b", "0/30", 2, {"id": 1, "v": "one"}, schema="c"),
                    _event("INSERT", "b", "0/40", 3, {"id": 1, "v": "two"}, schema="c\u0001a"),
                ],
                topic="cdc",
            ),
        ),
        (
            Row("a\u0001b", {"id": 1, "v": "one"}),
            Row("b", {"id": 1, "v": "two"}),
            Row("names", {"id": 1, "v": "no database"}),
            Row("names", {"id": 1, "v": "another"}),
        ),
        tables=("*,names,id,,,", "*,a\u0001b,id,,,", "*,b,id,,,"),
    ),
    Situation(
        "savegress_text_where_a_list_belongs",
        "a text where the list of a batch belongs is one event, and rejected",
        (carried(['{"events":"[1,2]"}'], topic="cdc"),),
        (),
        rejected=1,
    ),
]  # fmt: skip

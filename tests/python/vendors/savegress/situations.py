"""Situations of Savegress that are reported in public, as small events."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from tests.python.helpers.situations import Row, Situation, Version, carried


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
    Situation(
        "savegress_string_in_a_list",
        "a string, a number and a null in a list are events that are none, and the others count",
        (carried(['["x"]', [_event("INSERT", "lists", "0/10", 0, {"id": 1}), "x", 7, None]], topic="cdc"),),
        (Row("lists", {"id": 1}),),
        tables=("*,lists,id,,,",),
        rejected=4,
        reasons=("NOT_A_CHANGE",) * 4,
    ),
    Situation(
        "savegress_behind_a_batch",
        "a control character between the tokens of a batch, or behind it, makes it no JSON",
        (carried(['{"events":[\u0001{},{}]}', '{"events":[{},{}]}\u0000', '{"events":[{},{}]}\u0001'], topic="cdc"),),
        (),
        rejected=3,
        reasons=("NOT_JSON",) * 3,
    ),
    Situation(
        "savegress_not_utf_8",
        "a body that is not UTF-8 is kept and rejected, and the messages beside it count",
        (
            carried(
                [b'{"events":[{"name":"Zo\xeb"},{}]}', _event("INSERT", "names", "0/20", 1, {"id": 1, "v": "Zo\u00eb"})],
                topic="cdc",
            ),
        ),
        (Row("names", {"id": 1, "v": "Zo\u00eb"}),),
        tables=("*,names,id,,,",),
        rejected=1,
        reasons=("NOT_UTF8",),
    ),
    Situation(
        "savegress_far_future",
        "a position at the end of its range and a time that cannot be stay, as the rules say, with a warning",
        (
            carried(
                [
                    _event("INSERT", "forged", "20/1", 0, {"id": "f", "v": "a"}),
                    _event("INSERT", "forged", "FFFFFFFF/FFFFFFFF", 0, {"id": "f", "v": "FORGED"}),
                    _event("INSERT", "forged", "20/3", 0, {"id": "f", "v": "c"}),
                    _event("INSERT", "forged", "21/1", 0, {"id": "t", "v": "a"}),
                    _event("INSERT", "forged", "21/2", 0, {"id": "t", "v": "b"}, timestamp="9999-12-31T23:59:59Z"),
                    _event("INSERT", "forged", "21/3", 0, {"id": "t", "v": "c"}),
                ],
                topic="cdc",
                sent_at=datetime(2026, 4, 1, 9, 1, tzinfo=UTC),
            ),
        ),
        (Row("forged", {"id": "f", "v": "FORGED"}), Row("forged", {"id": "t", "v": "c"})),
        tables=("*,forged,id,,,",),
        warnings=frozenset({"FUTURE_POSITION", "FUTURE_TIME"}),
    ),
    Situation(
        "savegress_a_day_ahead",
        "a clock that runs ahead by a day, or a message without a time of the transport, is no reason for a warning",
        (
            carried(
                [_event("INSERT", "clocks", "0/10", 0, {"id": 1}, timestamp="2026-04-02T09:01:00Z")],
                topic="cdc",
                sent_at=datetime(2026, 4, 1, 9, 1, tzinfo=UTC),
            ),
            carried(
                [_event("INSERT", "clocks", "7FFFFFFE/1", 0, {"id": 2}, timestamp="2999-01-01T00:00:00Z")],
                topic="cdc",
                start=1,
            ),
        ),
        (Row("clocks", {"id": 1}), Row("clocks", {"id": 2})),
        tables=("*,clocks,id,,,",),
    ),
    Situation(
        "savegress_large_batch",
        "a message above the largest size waits unread in the raw table, and is read once the setting allows it",
        (
            carried(
                [
                    {
                        "batch_id": "large",
                        "events": [
                            _event("INSERT", "large", "0/10", 0, {"id": 1, "v": "x" * 30_000}),
                            _event("INSERT", "large", "0/20", 1, {"id": 2, "v": "y"}),
                        ],
                    },
                    _event("UPDATE", "large", "0/30", 2, {"id": 2, "v": "z"}),
                ],
                topic="cdc",
            ),
        ),
        (Row("large", {"id": 1, "v": "x" * 30_000}), Row("large", {"id": 2, "v": "z"})),
        tables=("*,large,id,,,",),
        versions=(
            Version({"id": 1, "v": "x" * 30_000}, _at(0)),
            Version({"id": 2, "v": "y"}, _at(1), _at(2), "update"),
            Version({"id": 2, "v": "z"}, _at(2)),
        ),
    ),
    Situation(
        "savegress_kafka_key_with_commas",
        "all that follows the colon of a Kafka key is the value of the one key column",
        (
            carried(
                [
                    _event("INSERT", "vouchers", "0/10", 1, after={"code": "A,7", "euro": 25}),
                    _event("INSERT", "vouchers", "0/20", 1, after={"code": "B:8", "euro": 40}),
                    _event("DELETE", "vouchers", "0/30", 5),
                    _event("DELETE", "vouchers", "0/40", 5),
                ],
                topic="cdc-events",
                keys=["vouchers:A,7", "vouchers:B:8", "vouchers:A,7", "public.vouchers:B:8"],
            ),
        ),
        (
            Row("vouchers", {"code": "A,7", "euro": 25}, is_deleted=True),
            Row("vouchers", {"code": "B:8", "euro": 40}, is_deleted=True),
        ),
        tables=("public,vouchers,code,,,",),
    ),
]  # fmt: skip

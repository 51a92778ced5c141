"""Situations of Sequin that are reported in public, as small messages."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from tests.python.helpers.situations import Row, Situation, Version, carried

LONG = "unchanged_toast"


def _message(
    action: str,
    table: str,
    record: dict[str, Any],
    lsn: int,
    time: str,
    *,
    changes: dict[str, Any] | None = None,
    index: int | None = 0,
    keys: list[Any] | None = None,
) -> dict[str, Any]:
    metadata: dict[str, Any] = {
        "table_schema": "public", "table_name": table, "commit_timestamp": f"2026-04-01T{time}Z",
        "commit_lsn": lsn, "database_name": "library",
    }  # fmt: skip
    if index is not None:
        metadata |= {"commit_idx": index, "idempotency_key": f"{lsn}-{index}"}
        metadata |= {"record_pks": [str(record["id"])] if keys is None else keys}
    return {"record": record, "changes": changes, "action": action, "metadata": metadata}


SITUATIONS = [
    Situation(
        "sequin_dropped_column",
        "a column that is gone does not come back with an update beside unchanged TOAST",
        (
            carried(
                [_message("insert", "books", {"id": 1, "isbn": "x", "title": "a", "text": "long"}, 10, "09:00:00")],
                topic="books",
            ),
            carried(
                [_message("update", "books", {"id": 1, "title": "b", "text": LONG}, 20, "09:10:00", changes={})],
                topic="books",
                start=1,
            ),
        ),
        (Row("books", {"id": 1, "title": "b", "text": "long"}),),
        tables=("public,books,id,,default,",),
        versions=(
            Version(
                {"id": 1, "isbn": "x", "title": "a", "text": "long"},
                "2026-04-01 09:00:00", "2026-04-01 09:10:00", "update",
            ),
            Version({"id": 1, "title": "b", "text": "long"}, "2026-04-01 09:10:00"),
        ),
    ),
    Situation(
        "sequin_ties_without_index",
        "messages without an index that share an LSN lie in the order of their offsets",
        (
            carried(
                [_message("insert", "loans", {"id": 1, "to": "a"}, 10, "09:00:00", index=None)],
                topic="loans",
            ),
            carried(
                [
                    _message("delete", "loans", {"id": 1, "to": "a"}, 20, "09:10:00", index=None),
                    _message("insert", "loans", {"id": 1, "to": "b"}, 20, "09:10:00", index=None),
                ],
                topic="loans",
                start=9,
            ),
        ),
        (Row("loans", {"id": 1, "to": "b"}),),
        tables=("public,loans,id,,full,",),
        versions=(
            Version({"id": 1, "to": "a"}, "2026-04-01 09:00:00", "2026-04-01 09:10:00", "delete"),
            Version({"id": 1, "to": "b"}, "2026-04-01 09:10:00"),
        ),
    ),
    Situation(
        "sequin_update_that_changes_nothing",
        "an update that changes nothing opens no version beside unchanged TOAST",
        (
            carried(
                [
                    '{"record":{"id":1,"ratio":2.0,"big":1234567890.5,"tags":{"text":"unchanged_toast","w":1.0},"note":null,"text":"long"},'
                    '"changes":null,"action":"insert","metadata":{"table_schema":"public","table_name":"lamps",'
                    '"commit_timestamp":"2026-04-01T09:00:00Z","commit_lsn":10,"commit_idx":0,"database_name":"library"}}',
                ],
                topic="lamps",
            ),
            carried(
                [
                    '{"record":{"id":1,"ratio":2.0,"big":1234567890.5,"tags":{"text":"unchanged_toast","w":1.0},"note":null,"text":"unchanged_toast"},'
                    '"changes":{},"action":"update","metadata":{"table_schema":"public","table_name":"lamps",'
                    '"commit_timestamp":"2026-04-01T09:10:00Z","commit_lsn":20,"commit_idx":0,"database_name":"library"}}',
                ],
                topic="lamps",
                start=1,
            ),
        ),
        (
            Row(
                "lamps",
                {
                    "id": 1, "ratio": 2.0, "big": 1234567890.5, "tags": {"text": LONG, "w": 1.0},
                    "note": None, "text": "long",
                },
            ),
        ),
        tables=("public,lamps,id,,default,",),
        versions=(
            Version(
                {
                    "id": 1, "ratio": 2.0, "big": 1234567890.5, "tags": {"text": LONG, "w": 1.0},
                    "note": None, "text": "long",
                },
                "2026-04-01 09:00:00",
            ),
        ),
    ),
    Situation(
        "sequin_key_is_toast",
        "a key that was not sent names no row, whether its columns are known or not",
        (
            carried(
                [
                    _message("insert", "codes", {"id": "long", "n": 1}, 10, "09:00:00"),
                    _message("update", "codes", {"id": LONG, "n": 2}, 20, "09:10:00"),
                    _message("update", "coupons", {"id": LONG, "n": 2}, 30, "09:10:00"),
                    _message("update", "pairs", {"id": 1, "code": LONG}, 40, "09:10:00", keys=["1", LONG]),
                ],
                topic="codes",
            ),
        ),
        (Row("codes", {"id": "long", "n": 1}),),
        tables=("public,codes,id,,full,", 'public,pairs,"id, code",,full,'),
        rejected=3,
    ),
    Situation(
        "sequin_list_on_one_line",
        "a list of messages on one line is taken apart",
        (
            carried(
                [
                    [
                        _message("insert", "shelves", {"id": 1, "v": "a"}, 10, "09:00:00"),
                        _message("update", "shelves", {"id": 1, "v": "b"}, 20, "09:10:00"),
                        7,
                    ],
                    [],
                ],
                topic="shelves",
            ),
        ),
        (Row("shelves", {"id": 1, "v": "b"}),),
        rejected=1,
    ),
    Situation(
        "sequin_text_where_a_list_belongs",
        "a text where the list of a batch belongs is one event, and rejected",
        (carried(['{"data":"[1,2]"}'], topic="shelves"),),
        (),
        rejected=1,
    ),
    Situation(
        "sequin_string_in_a_batch",
        "a string in a batch is an event that is none; what stands behind a batch makes it no JSON",
        (carried(['{"data":["x",1,"{"]}', '{"data":[{},{}]}\u0000', '{"data":[\u0001{},{}]}'], topic="shelves"),),
        (),
        rejected=5,
        reasons=("NOT_A_CHANGE", "NOT_A_CHANGE", "NOT_A_CHANGE", "NOT_JSON", "NOT_JSON"),
    ),
    Situation(
        "sequin_large_batch",
        "a large batch of changes of one message is read once the setting allows it, and other sizes are not waited for",
        (
            carried(
                [
                    {
                        "data": [
                            _message("insert", "large", {"id": 1, "v": "x" * 30_000}, 10, "09:00:00"),
                            _message("insert", "large", {"id": 2, "v": "y"}, 20, "09:10:00"),
                        ]
                    },
                    _message("update", "large", {"id": 2, "v": "z"}, 30, "09:20:00"),
                ],
                topic="large",
            ),
        ),
        (Row("large", {"id": 1, "v": "x" * 30_000}), Row("large", {"id": 2, "v": "z"})),
        tables=("public,large,id,,full,",),
    ),
    Situation(
        "sequin_key_change_without_key_names",
        "where record_pks alone names the key, the one column that holds its value says the old key",
        (
            carried(
                [
                    _message("insert", "coupons", {"code": "SPRING", "percent": 10}, 10, "09:00:00", keys=["SPRING"]),
                    _message("insert", "coupons", {"code": "AUTUMN", "percent": 5}, 11, "09:00:00", keys=["AUTUMN"]),
                ],
                topic="coupons",
            ),
            carried(
                [
                    _message(
                        "update", "coupons", {"code": "SUMMER", "percent": 10}, 20, "09:10:00",
                        changes={"code": "SPRING"}, keys=["SUMMER"],
                    ),
                    _message(
                        "update", "coupons", {"code": "AUTUMN", "percent": 7}, 21, "09:10:00",
                        changes={"percent": 5}, keys=["AUTUMN"],
                    ),
                ],
                topic="coupons",
                start=2,
            ),
        ),
        (
            Row("coupons", {"code": "AUTUMN", "percent": 7}),
            Row("coupons", {"code": "SPRING", "percent": 10}, is_deleted=True),
            Row("coupons", {"code": "SUMMER", "percent": 10}),
        ),
    ),
    Situation(
        "sequin_key_change_that_two_columns_may_name",
        "where two columns hold the key's value, a change of one of them is marked",
        (
            carried(
                [
                    _message(
                        "update", "pairs", {"code": "b", "label": "b", "n": 1}, 10, "09:00:00",
                        changes={"code": "a"}, keys=["b"],
                    ),
                    _message(
                        "update", "pairs", {"code": "c", "label": "c", "n": 1}, 20, "09:10:00",
                        changes={"n": 2}, keys=["c"],
                    ),
                ],
                topic="pairs",
            ),
        ),
        (
            Row("pairs", {"code": "b", "label": "b", "n": 1}),
            Row("pairs", {"code": "c", "label": "c", "n": 1}),
        ),
        warnings=frozenset({"KEY_CHANGE_WITHOUT_OLD_KEY"}),
    ),
    Situation(
        "sequin_table_without_a_key",
        "changes of a table without any key wait for one, deletes too",
        (
            carried(
                [
                    _message("insert", "notes", {"text": "x"}, 10, "09:00:00", keys=[]),
                    _message("delete", "notes", {"text": "x"}, 20, "09:10:00", keys=[]),
                    _message("delete", "notes", {"text": None}, 30, "09:20:00", keys=[]),
                ],
                topic="notes",
            ),
        ),
        (),
        pending=3,
    ),
    Situation(
        "sequin_row_as_text",
        "a row that was sent as JSON text inside a string is the row that the text holds",
        (
            carried(
                [
                    _message("insert", "sheets", {"id": 1}, 10, "09:00:00")
                    | {"record": '{"id": 1, "sum": 12345678901234567890.5, "note": "a \\"b\\""}'},
                    _message("insert", "sheets", {"id": 2}, 20, "09:10:00") | {"record": '{"id": 2'},
                ],
                topic="sheets",
            ),
        ),
        (Row("sheets", {"id": 1, "sum": Decimal("12345678901234567890.5"), "note": 'a "b"'}),),
        tables=("public,sheets,id,,full,",),
        rejected=1,
        reasons=("MISSING_IMAGE",),
    ),
    Situation(
        "sequin_key_of_an_object_twice",
        "of a key that occurs twice the last counts, in the row's key too",
        (
            carried(
                [
                    '{"record":{"id":1,"v":"a","id":2,"v":"b"},"changes":null,"action":"delete","action":"insert","metadata":'
                    '{"table_schema":"public","table_name":"old","table_name":"twice","commit_timestamp":"2026-04-01T09:00:00Z",'
                    '"commit_lsn":10,"commit_idx":0,"database_name":"library"}}',
                    '{"data":[],"data":[{"record":{"id":3},"changes":null,"action":"insert","metadata":{"table_schema":"public",'
                    '"table_name":"twice","commit_timestamp":"2026-04-01T09:00:00Z","commit_lsn":20,"commit_idx":0,'
                    '"database_name":"library"}}]}',
                ],
                topic="twice",
            ),
        ),
        (Row("twice", {"id": 2, "v": "b"}), Row("twice", {"id": 3})),
        tables=("public,twice,id,,full,",),
    ),
    Situation(
        "sequin_numbers_with_an_exponent",
        "a number with an exponent stays as it was sent, or is text where no number can hold it",
        (
            carried(
                [
                    '{"record":{"id":1,"a":1.5E10,"b":1e400,"c":1e-400,"d":9007199254740993E0,"e":1e5},"changes":null,"action":"insert",'
                    '"metadata":{"table_schema":"public","table_name":"powers","commit_timestamp":"2026-04-01T09:00:00Z",'
                    '"commit_lsn":10,"commit_idx":0,"database_name":"library"}}',
                ],
                topic="powers",
            ),
        ),
        (Row("powers", {"id": 1, "a": 15000000000, "b": "1e400", "c": "1e-400", "d": "9007199254740993E0", "e": 100000}),),
        tables=("public,powers,id,,full,",),
        warnings=frozenset({"NUMBER_KEPT_AS_TEXT"}),
    ),
]  # fmt: skip

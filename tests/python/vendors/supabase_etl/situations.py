"""Situations of Supabase ETL that are reported in public, as small events."""

from __future__ import annotations

from typing import Any

from tests.python.helpers.situations import Row, Situation, Version, carried

START = 828_262_800_000_000  # 2026-03-31 09:00:00 in PostgreSQL's count


def _relation(lsn: str, commit: str, table_id: int, name: str, *columns: str) -> dict[str, Any]:
    described = [
        {"name": column, "typ": "text", "modifier": -1, "nullable": True, "primary": column == "id"}
        for column in columns
    ]
    schema = {
        "id": table_id,
        "name": {"schema": "public", "name": name},
        "column_schemas": described,
    }
    return {"Relation": {"start_lsn": lsn, "commit_lsn": commit, "table_schema": schema}}


def _insert(lsn: str, commit: str, table_id: int, *cells: Any) -> dict[str, Any]:
    return {
        "Insert": {
            "start_lsn": lsn,
            "commit_lsn": commit,
            "table_id": table_id,
            "table_row": list(cells),
        }
    }


def _update(
    lsn: str, commit: str, table_id: int, total: int, values: list[Any], missing: list[int]
) -> dict[str, Any]:
    row = {"Partial": {"total_columns": total, "values": values, "missing_column_indexes": missing}}
    return {
        "Update": {
            "start_lsn": lsn, "commit_lsn": commit, "tx_ordinal": 1, "table_id": table_id,
            "updated_table_row": row, "old_table_row": None,
        }
    }  # fmt: skip


def _transaction(commit: str, minute: int, *events: dict[str, Any]) -> list[dict[str, Any]]:
    time = START + minute * 60_000_000
    begin = {"start_lsn": commit, "commit_lsn": commit, "timestamp": time, "xid": minute}
    end = {
        "start_lsn": commit,
        "commit_lsn": commit,
        "timestamp": time,
        "flags": 0,
        "end_lsn": commit,
    }
    return [{"Begin": begin}, *events, {"Commit": end}]


def _copied(table_id: int, *cells: Any) -> dict[str, Any]:
    return {"type": "copy", "table_id": table_id, "table_row": list(cells)}


def _at(minute: int) -> str:
    return f"2026-03-31 09:{minute:02d}:00"


OLD, NEW = 24_001, 24_777
_FIRST = _transaction(
    "0/1100", 0,
    _relation("0/1010", "0/1100", OLD, "badges", "id", "holder"),
    _insert("0/1020", "0/1100", OLD, "1", "a"),
    _insert("0/1030", "0/1100", OLD, "2", "a"),
)  # fmt: skip
_AGAIN = _transaction(
    "0/2100", 10,
    _relation("0/2010", "0/2100", NEW, "badges", "id", "holder"),
    _insert("0/2020", "0/2100", NEW, "2", "b"),
)  # fmt: skip
_ENDED = (
    Row("badges", {"id": "1", "holder": "a"}, is_deleted=True),
    Row("badges", {"id": "2", "holder": "b"}),
)
_ENDED_VERSIONS = (
    Version({"id": "1", "holder": "a"}, _at(0), _at(10), "drop"),
    Version({"id": "2", "holder": "a"}, _at(0), _at(10), "drop"),
    Version({"id": "2", "holder": "b"}, _at(10)),
)

SITUATIONS = [
    Situation(
        "supabase_table_created_again",
        "a Relation that gives a table's name to another table ends the rows of the first",
        (carried(_FIRST, topic="etl"), carried(_AGAIN, topic="etl", start=9)),
        _ENDED,
        versions=_ENDED_VERSIONS,
    ),
    Situation(
        "supabase_table_created_again_landed_backwards",
        "the same where the second table lands first, and twice",
        (carried(_AGAIN, topic="etl", start=9), carried([*_AGAIN[:2], *_FIRST], topic="etl")),
        _ENDED,
        versions=_ENDED_VERSIONS,
    ),
    Situation(
        "supabase_relation_sent_again",
        "a Relation that is sent again for the same table, with other columns, ends nothing",
        (
            carried(_FIRST, topic="etl"),
            carried(
                _transaction("0/2100", 10, _relation("0/2010", "0/2100", OLD, "badges", "id", "holder", "floor")),
                topic="etl",
                start=9,
            ),
        ),
        (Row("badges", {"id": "1", "holder": "a"}), Row("badges", {"id": "2", "holder": "a"})),
    ),
    Situation(
        "supabase_copied_after_created_again",
        "copied rows of a table that was created again come after the end of the first",
        (
            carried([*_FIRST, _copied(NEW, "1", "copied"), _copied(NEW, "3", "copied")], topic="etl"),
            carried(_AGAIN, topic="etl", start=9),
        ),
        (
            Row("badges", {"id": "1", "holder": "copied"}),
            Row("badges", {"id": "2", "holder": "b"}),
            Row("badges", {"id": "3", "holder": "copied"}),
        ),
    ),
    Situation(
        "supabase_dropped_column",
        "a partial row inherits no column that its Relation does not name",
        (
            carried(
                _transaction(
                    "0/1100", 0,
                    _relation("0/1010", "0/1100", OLD, "members", "id", "nick", "plan", "bio"),
                    _insert("0/1020", "0/1100", OLD, "1", "n", "basic", "long"),
                ),
                topic="etl",
            ),
            carried(
                _transaction(
                    "0/2100", 10,
                    _relation("0/2010", "0/2100", OLD, "members", "id", "plan", "bio"),
                    _update("0/2020", "0/2100", OLD, 3, ["1", "gold"], [2]),
                ),
                topic="etl",
                start=9,
            ),
        ),
        (Row("members", {"id": "1", "plan": "gold", "bio": "long"}),),
    ),
    Situation(
        "supabase_text_where_a_list_belongs",
        "a text where the list of a batch belongs is one event, and rejected",
        (carried(['{"events":"[1,2]"}'], topic="etl"),),
        (),
        rejected=1,
    ),
    Situation(
        "supabase_rejected_truncate",
        "a truncate of two tables without a position is rejected for each of them; a string in a list is no event",
        (
            carried(
                [
                    {"Truncate": {"start_lsn": "x", "commit_lsn": "y", "rel_ids": [OLD, 16999]}},
                    ["Unsupported", "x"],
                    '{"events":[{},{}]}\u0000',
                ],
                topic="etl",
            ),
        ),
        (),
        rejected=4,
        reasons=("BAD_POSITION", "BAD_POSITION", "NOT_A_CHANGE", "NOT_JSON"),
    ),
    Situation(
        "supabase_large_transaction",
        "a large message that brings its schema, its rows and its commit is read once the setting allows it",
        (
            carried(
                [
                    {
                        "events": _transaction(
                            "0/1100", 0,
                            _relation("0/1010", "0/1100", OLD, "large", "id", "v"),
                            _insert("0/1020", "0/1100", OLD, "1", "x" * 30_000),
                        )
                    }
                ],
                topic="etl",
            ),
        ),
        (Row("large", {"id": "1", "v": "x" * 30_000}),),
    ),
]  # fmt: skip

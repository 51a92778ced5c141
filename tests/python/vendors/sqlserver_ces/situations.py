"""Situations of SQL Server's Change Event Streaming that are reported in public, as small events."""

from __future__ import annotations

import json
from typing import Any

from tests.python.integration.situations import Row, Situation, Version, carried

STREAM = "4f0d8f0c-7d2b-4c53-9f1b-0c2f5f5f9e10"


def _event(
    operation: str,
    number: int,
    columns: list[str],
    current: dict[str, Any],
    old: dict[str, Any] | None = None,
) -> dict[str, Any]:
    data = {
        "eventsource": {
            "db": "campus", "schema": "dbo", "tbl": "members",
            "cols": [{"name": name, "type": "nvarchar(50)", "index": index} for index, name in enumerate(columns)],
            "pkkey": [{"columnname": "id", "value": current["id"]}],
        },
        "eventrow": {"old": json.dumps(old or {}), "current": json.dumps(current)},
    }  # fmt: skip
    return {
        "specversion": "1.0", "type": "com.microsoft.SQL.CES.DML.V1", "source": "/", "id": f"e{number}",
        "logicalid": f"{STREAM}:0000002C00000021{number:04X}:00000000000000000001",
        "time": f"2026-04-01T09:{number:02d}:00.000Z", "datacontenttype": "application/json",
        "operation": operation, "segmentindex": 1, "finalsegment": True, "data": json.dumps(data),
    }  # fmt: skip


def _at(minute: int) -> str:
    return f"2026-04-01 09:{minute:02d}:00"


_INSERT = _event("INS", 1, ["id", "v"], {"id": "1", "v": "a"})
# One change in two segments.
SPLIT_CHANGE = carried(
    [
        _INSERT | {"segmentindex": 0, "finalsegment": False, "data": _INSERT["data"][:100]},
        _INSERT | {"segmentindex": 1, "finalsegment": True, "data": _INSERT["data"][100:]},
    ],
    topic="hub",
)
SITUATIONS = [
    Situation(
        "ces_dropped_column",
        "an image that lacks a listed column inherits no column that is not listed",
        (
            carried(
                [_event("INS", 1, ["id", "nick", "plan", "bio"], {"id": "1", "nick": "n", "plan": "a", "bio": "x"})],
                topic="changes",
            ),
            carried([_event("UPD", 5, ["id", "plan", "bio"], {"id": "1", "plan": "b"})], topic="changes", start=1),
        ),
        (Row("members", {"id": "1", "plan": "b", "bio": "x"}),),
        versions=(
            Version({"id": "1", "nick": "n", "plan": "a", "bio": "x"}, _at(1), _at(5), "update"),
            Version({"id": "1", "plan": "b", "bio": "x"}, _at(5)),
        ),
        warnings=frozenset({"COLUMN_LISTED_BUT_ABSENT"}),
    ),
    Situation(
        "ces_list_on_one_line",
        "a list of events on one line is taken apart",
        (
            carried(
                [
                    [
                        _event("INS", 1, ["id", "v"], {"id": "1", "v": "a"}),
                        _event("UPD", 2, ["id", "v"], {"id": "1", "v": "b"}, {"id": "1", "v": "a"}),
                    ]
                ],
                topic="changes",
            ),
        ),
        (Row("members", {"id": "1", "v": "b"}),),
    ),
]  # fmt: skip

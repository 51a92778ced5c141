"""Situations of SQL Server's Change Event Streaming that are reported in public, as small events."""

from __future__ import annotations

import json
from typing import Any

from tests.python.helpers.situations import Row, Situation, Version, carried

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
        "eventrow": {
            "old": json.dumps(old or {}, ensure_ascii=False),
            "current": json.dumps(current, ensure_ascii=False),
        },
    }  # fmt: skip
    return {
        "specversion": "1.0", "type": "com.microsoft.SQL.CES.DML.V1", "source": "/", "id": f"e{number}",
        "logicalid": f"{STREAM}:0000002C00000021{number:04X}:00000000000000000001",
        "time": f"2026-04-01T09:{number:02d}:00.000Z", "datacontenttype": "application/json",
        "operation": operation, "segmentindex": 1, "finalsegment": True,
        "data": json.dumps(data, ensure_ascii=False),
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
# One change in two deliveries whose lists of columns differ: its rows say the same, its schema and its images do not.
_SHORT_LIST = _event("UPD", 1, ["id", "v"], {"id": "1", "v": "a"}, {"id": "1", "v": "b"})
_LONG_LIST = _event("UPD", 1, ["id", "v", "w"], {"id": "1", "v": "a"}, {"id": "1", "v": "b"})
_LATER = "2026-04-01T09:01:30.000Z"
# Another content of the second segment, and the first segment of a sending that was cut elsewhere.
_UP_TO_THE_VALUE = _INSERT["data"].index('\\"a\\"')
_START = _INSERT | {
    "segmentindex": 0,
    "finalsegment": False,
    "data": _INSERT["data"][:_UP_TO_THE_VALUE],
}
_END = _INSERT | {
    "segmentindex": 1,
    "finalsegment": True,
    "data": _INSERT["data"][_UP_TO_THE_VALUE:],
}
_OTHER_END = _END | {"data": _END["data"].replace('\\"a\\"', '\\"z\\"')}
_OTHER_START = _START | {"data": _INSERT["data"][: _UP_TO_THE_VALUE - 5]}
_STRAY = _INSERT | {"segmentindex": 5, "finalsegment": False, "data": "x"}
_WITHOUT_KEY = _INSERT | {
    "data": _INSERT["data"].replace('[{"columnname": "id", "value": "1"}]', "[]")
}
# JSON writes a character outside the basic plane as two escapes, and a segment may end between them.
_ROCKET = _event("INS", 1, ["id", "v"], {"id": "1", "v": 'Go \U0001f680 "now" \\'})
_BEFORE_THE_CUT, _AFTER_THE_CUT = _ROCKET["data"].split("\U0001f680")
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
        "ces_null_by_leaving_out",
        "of a table that is declared to send whole rows a listed column that the new row lacks is null",
        (
            carried(
                [
                    _event("INS", 1, ["id", "nick", "city"], {"id": "1", "nick": "Zed", "city": "Graz"}),
                    _event(
                        "UPD", 9, ["id", "nick", "city"], {"id": "1", "city": "Ulm"},
                        {"id": "1", "nick": "Zed", "city": "Graz"},
                    ),
                ],
                topic="changes",
            ),
        ),
        (Row("members", {"id": "1", "nick": None, "city": "Ulm"}),),
        tables=("dbo,members,,,full,",),
        warnings=frozenset({"COLUMN_LISTED_BUT_ABSENT"}),
    ),
    Situation(
        "ces_character_cut_in_two",
        "a character that the end of a segment cuts in two comes out whole, whichever segment lands first",
        (
            carried([_ROCKET | {"segmentindex": 1, "finalsegment": True, "data": "\ude80" + _AFTER_THE_CUT}], topic="changes", start=5),
            carried([_ROCKET | {"segmentindex": 0, "finalsegment": False, "data": _BEFORE_THE_CUT + "\ud83d"}], topic="changes"),
        ),
        (Row("members", {"id": "1", "v": 'Go \U0001f680 "now" \\'}),),
        tables=("dbo,members,,,full,",),
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
    Situation(
        "ces_two_lists",
        "of two deliveries that differ in what no identity holds the one at the least place gives the columns",
        (carried([_SHORT_LIST], topic="changes"), carried([_LONG_LIST], topic="changes", start=1)),
        (Row("members", {"id": "1", "v": "a"}),),
    ),
    Situation(
        "ces_two_lists_reversed",
        "it gives the columns also where it lands later",
        (carried([_LONG_LIST], topic="changes", start=1), carried([_SHORT_LIST], topic="changes")),
        (Row("members", {"id": "1", "v": "a"}),),
        same_as="ces_two_lists",
    ),
    Situation(
        "ces_two_lists_at_once",
        "it gives the columns also where both land in one run",
        (carried([_SHORT_LIST, _LONG_LIST], topic="changes"),),
        (Row("members", {"id": "1", "v": "a"}),),
        same_as="ces_two_lists",
    ),
    Situation(
        "ces_two_lists_and_times",
        "of two deliveries with different times the earlier time gives the columns, and the least place is that of both",
        (carried([_SHORT_LIST | {"time": _LATER}], topic="changes"), carried([_LONG_LIST], topic="changes", start=1)),
        (Row("members", {"id": "1", "v": "a"}),),
        versions=(Version({"id": "1", "v": "a"}, _at(1)),),
        warnings=frozenset({"COLUMN_LISTED_BUT_ABSENT"}),
    ),
    Situation(
        "ces_two_lists_and_times_reversed",
        "the earlier time gives the columns also where the other delivery lands later, at a lesser place",
        (carried([_LONG_LIST], topic="changes", start=1), carried([_SHORT_LIST | {"time": _LATER}], topic="changes")),
        (Row("members", {"id": "1", "v": "a"}),),
        versions=(Version({"id": "1", "v": "a"}, _at(1)),),
        warnings=frozenset({"COLUMN_LISTED_BUT_ABSENT"}),
        same_as="ces_two_lists_and_times",
    ),
    Situation(
        "ces_contradicting_segment",
        "of two contents of a segment the one counts that was carried behind the segment before it, and the other waits",
        (carried([_OTHER_END, _START, _END], topic="changes"),),
        (Row("members", {"id": "1", "v": "a"}),),
        pending=1,
    ),
    Situation(
        "ces_contradicting_segment_later",
        "a contradicting segment that lands later waits, as it does in one run",
        (carried([_START, _END], topic="changes"), carried([_OTHER_END], topic="changes", start=2)),
        (Row("members", {"id": "1", "v": "a"}),),
        pending=1,
    ),
    Situation(
        "ces_segments_joined_too_early",
        "a change whose segments turn out to be of two sendings is taken back",
        (carried([_OTHER_END, _START], topic="changes"), carried([_END], topic="changes", start=2)),
        (Row("members", {"id": "1", "v": "a"}),),
        pending=1,
    ),
    Situation(
        "ces_another_cut",
        "a change that is sent again with another cut is the whole of the second sending",
        (carried([_OTHER_START], topic="changes"), carried([_START, _END], topic="changes", start=1)),
        (Row("members", {"id": "1", "v": "a"}),),
        pending=1,
    ),
    Situation(
        "ces_two_whole_sendings",
        "two whole sendings of one change that differ are two changes, and marked",
        (
            carried([_START, _END], topic="changes"),
            carried([_START, _OTHER_END], topic="changes", start=2),
        ),
        (Row("members", {"id": "1", "v": "z"}),),
        warnings=frozenset({"CONFLICTING_DELIVERIES"}),
    ),
    Situation(
        "ces_stray_segment",
        "a segment that belongs to no whole waits, and blocks nothing",
        (carried([_START, _END], topic="changes", start=1), carried([_STRAY], topic="changes", start=3)),
        (Row("members", {"id": "1", "v": "a"}),),
        pending=1,
    ),
    Situation(
        "ces_segments_delivered_twice",
        "segments that come again after their change are part of it",
        (carried([_START, _END], topic="changes"), carried([_START, _END], topic="changes", start=2)),
        (Row("members", {"id": "1", "v": "a"}),),
    ),
    Situation(
        "ces_split_change_without_a_key",
        "a split change of a table without a key waits as a whole",
        (
            carried(
                [
                    _WITHOUT_KEY | {"segmentindex": 0, "finalsegment": False, "data": _WITHOUT_KEY["data"][:100]},
                    _WITHOUT_KEY | {"segmentindex": 1, "finalsegment": True, "data": _WITHOUT_KEY["data"][100:]},
                ],
                topic="changes",
            ),
            carried([_event("INS", 9, ["id"], {"id": "2"})], topic="changes", start=9),
        ),
        (Row("members", {"id": "2"}),),
        pending=1,
    ),
]  # fmt: skip

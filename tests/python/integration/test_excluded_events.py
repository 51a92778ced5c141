"""An operator takes single events out of the way, and puts them back (cdc_excluded_events)."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import pytest

from cdc_changelog.commands.build import ALL_VIEWS
from cdc_changelog.landing.bodies import Message
from cdc_changelog.landing.files import land_files
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtError, DbtProject
from tests.python.helpers.quick_proof import exclude_events
from tests.python.helpers.situations import carried, split_changes

pytestmark = [pytest.mark.server, pytest.mark.slow]

ROWS = "select source, `row` from {cdc}.cdc_current_rows order by source, row_key"
COUNTS = (
    "select source, sum(messages), sum(events), sum(changes), sum(segments), sum(duplicates), sum(rejected),"
    " sum(pending) from {cdc}.cdc_health group by source order by source"
)
REJECTED = (
    "select source, reason, reason_detail, `offset`, event_index from {cdc}.cdc_rejected_messages"
    " order by source, `offset`, event_index"
)
MARTS = (
    ROWS,
    COUNTS,
    REJECTED,
    "select * from {cdc}.cdc_row_versions order by source, row_key, version_number",
    "select change_id, warnings from {cdc}.cdc_changelog order by change_id",
    "select source, `offset`, reason from {cdc}.cdc_pending_messages order by 1, 2",
)


@dataclass
class Life:
    """A project, and what its marts held after each step."""

    project: DbtProject
    seen: dict[str, list[list[tuple[Any, ...]]]] = field(default_factory=dict)
    error: str = ""

    def run(self, step: str, lines: list[str] | None = None) -> None:
        """Give the lines of the seed, run, and look."""
        if lines is not None:
            exclude_events(self.project.folder, lines)
            self.project.dbt("seed", "--select", "cdc_excluded_events")
        # Views stay as they are where no file has changed, as in `make run`.
        left_out = ("--exclude", ALL_VIEWS) if self.seen and lines is None else ()
        self.project.dbt("run", *left_out)
        self.seen[step] = [self.project.query(mart) for mart in MARTS]

    def of(self, step: str, source: str) -> list[list[tuple[Any, ...]]]:
        """What rows, counts and rejects held of a source."""
        return [[row[1:] for row in rows if row[0] == source] for rows in self.seen[step][:3]]


def _change(point: int, value: str, **more: Any) -> dict[str, Any]:
    return full(point, v=value, **more)


@pytest.fixture(scope="module")
def life(make_project: Callable[..., DbtProject], tmp_path_factory: pytest.TempPathFactory) -> Life:
    """Events land, some are taken out by id, by place and by the place of a segment, and come back."""
    [(splitting_vendor, segments)] = split_changes().items()
    project = make_project("cdc_excluded", SIXTH_VENDOR, vendors=("acme", splitting_vendor))
    life = Life(project)
    project.dbt("seed")
    forged = [_change(10, "a"), _change(9999, "forged"), _change(20, "b")]
    project.land("acme", "by id", list(carried(forged, topic="t")))
    project.land(
        "acme", "by place", list(carried([[_change(30, "x"), _change(40, "y")]], topic="t"))
    )
    waiting = _change(10, "a") | {"key": None}
    project.land("acme", "waiting", list(carried([waiting, "cut {"], topic="t", start=20)))
    project.land(splitting_vendor, "split", list(segments))
    file = tmp_path_factory.mktemp("files") / "ahead.jsonl"
    ahead = _change(10, "a", message_id="ahead") | {"committed_at": "2999-01-01T00:00:00Z"}
    file.write_text("".join(json.dumps(message) + "\n" for message in (_change(5, "b"), ahead)))
    with closing(project.connection()) as connection:
        land_files(
            connection, "acme", "file", [file],
            raw_schema=project.raw_schema, table_format=project.server.table_format, force=True,
        )  # fmt: skip
    life.run("nothing is excluded")
    [(change_id,)] = project.query(
        "select change_id from {cdc}.cdc_changelog where source = 'by id' and position = '9999'"
    )
    lines = [
        f"{change_id.upper()},,,,,,,a forged position,Ann",
        ",acme,by place,t,0,0,1,poisoned,Ben",
        ",,by place,t,0,7,,a place that nothing lies at yet,Ben",
        ",,waiting,t,0,20,,waits for ever,Ben",
        ",,waiting,t,0,21,,looked at,Ben",
        ",,split,hub,0,1,,by the place of its second segment,Ann",
    ]
    life.run("four are excluded", lines)
    again = [Message(json.dumps(forged[1]), topic="t", partition=0, offset=3)]
    project.land("acme", "by id", again)
    # Another delivery of a change lies where a line points.
    elsewhere = [Message(json.dumps(_change(30, "x")), topic="t", partition=0, offset=7)]
    project.land("acme", "by place", elsewhere)
    life.run("further deliveries")
    project.dbt("run", "--full-refresh", "--exclude", ALL_VIEWS)
    life.seen["everything is built again"] = [project.query(mart) for mart in MARTS]
    life.run("the lines are removed", [])
    project.dbt("test", "--select", "accounts_for_every_message")
    life.error = _error_of(project)
    return life


def _error_of(project: DbtProject) -> str:
    exclude_events(
        project.folder,
        [
            "abc,,,,,,,why,who",
            f"{'0' * 32},,,t,0,1,,why,who",
            ",acme,,t,,1,,why,who",
            ",amce,,t,0,1,,,",
            ",acme,,t,0,1,x,why,who",
            ",acme,,t,0,2,,why,who",
            ",acme,,t,0,2,,why,who",
        ],
    )
    with pytest.raises(DbtError) as failed:
        project.dbt("seed", "--select", "cdc_excluded_events")
    return str(failed.value)


def test_an_excluded_change_is_rejected_and_the_row_is_as_if_it_had_never_come(life: Life) -> None:
    assert life.of("nothing is excluded", "by id")[0] == [('{"id":"1","v":"forged"}',)]
    rows, counts, rejected = life.of("four are excluded", "by id")
    assert rows == [('{"id":"1","v":"b"}',)]
    assert counts == [(3, 3, 2, 0, 0, 1, 0)]
    assert rejected == [("EXCLUDED", "Excluded by Ann: a forged position", 1, 0)]


def test_one_event_of_a_message_is_excluded_by_its_place(life: Life) -> None:
    rows, counts, rejected = life.of("four are excluded", "by place")
    assert rows == [('{"id":"1","v":"x"}',)]
    assert counts == [(1, 2, 1, 0, 0, 1, 0)]
    assert rejected == [("EXCLUDED", "Excluded by Ben: poisoned", 0, 1)]


def test_a_further_delivery_of_an_excluded_change_is_rejected_too(life: Life) -> None:
    rows, counts, rejected = life.of("further deliveries", "by id")
    assert rows == [('{"id":"1","v":"b"}',)]
    assert counts == [(4, 4, 2, 0, 0, 2, 0)]
    assert [offset for *_, offset, _ in rejected] == [1, 3]


def test_a_delivery_at_a_named_place_takes_out_the_change_that_was_known_before(life: Life) -> None:
    rows, counts, rejected = life.of("further deliveries", "by place")
    assert rows == []
    assert counts == [(2, 3, 0, 0, 0, 3, 0)]
    assert [place for *_, place in rejected] == [0, 1, 0]


def test_what_waits_waits_no_more_and_a_reject_says_who_has_looked_at_it(life: Life) -> None:
    _, counts, rejected = life.of("nothing is excluded", "waiting")
    assert (counts, [reason for reason, *_ in rejected]) == (
        [(2, 2, 0, 0, 0, 1, 1)],
        ["NOT_JSON"],
    )
    _, counts, rejected = life.of("four are excluded", "waiting")
    assert counts == [(2, 2, 0, 0, 0, 2, 0)]
    assert rejected == [
        ("EXCLUDED", "Excluded by Ben: waits for ever", 20, 0),
        ("EXCLUDED", "Excluded by Ben: looked at", 21, 0),
    ]


def test_the_place_of_a_segment_excludes_the_change_that_it_is_part_of(life: Life) -> None:
    assert len(life.of("nothing is excluded", "split")[0]) == 1
    rows, counts, _ = life.of("four are excluded", "split")
    assert rows == []
    assert counts == [(2, 2, 0, 1, 0, 1, 0)]


def test_a_full_refresh_leaves_out_the_same_events(life: Life) -> None:
    assert life.seen["everything is built again"] == life.seen["further deliveries"]


def test_without_the_lines_everything_is_there_again(life: Life) -> None:
    before, after = life.seen["nothing is excluded"], life.seen["the lines are removed"]
    assert after[0] == before[0]
    assert after[3] == before[3]
    assert after[4] == before[4]
    assert [row for row in after[1] if row[0] in ("split", "waiting")] == [
        row for row in before[1] if row[0] in ("split", "waiting")
    ]


def test_a_time_far_behind_the_landing_of_a_file_carries_a_warning(life: Life) -> None:
    found = life.project.query(
        "select position, coalesce(array_contains(warnings, 'FUTURE_TIME'), false)"
        " from {cdc}.cdc_changelog where source = 'file' order by position"
    )
    assert found == [("0005", False), ("0010", True)]
    [(future_times, last)] = life.project.query(
        "select future_times, year(last_committed_at) from {cdc}.cdc_health where source = 'file'"
    )
    assert (future_times, last) == (1, 2026)


def test_lines_that_name_no_event_are_rejected_with_their_number(life: Life) -> None:
    for says in (
        "line 2: change_id is 'abc'; expected the change_id of a change, 32 hexadecimal digits",
        "line 3: it names a change and a place; expected one of them",
        "line 4: it names no event; expected change_id, or topic, partition and offset",
        "line 5: vendor is 'amce'; expected one of acme",
        "line 5: reason is ''; expected why the event is excluded",
        "line 5: decided_by is ''; expected who decided it",
        "line 6: event_index is 'x'; expected a whole number",
        "line 8: acme, t, 0, 2 is line 7 already; expected one line for each",
    ):
        assert says in life.error

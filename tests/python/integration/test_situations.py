"""What comes of situations that practitioners report (situations.py), in two runs of one project."""

from __future__ import annotations

import base64
import json
import os
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pytest

from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.mutated import damaged_messages
from tests.python.helpers.samples import VENDORS
from tests.python.helpers.situations import RUNS, Situation, all_situations
from tests.python.scenario.oracle import comparable, read_json

pytestmark = pytest.mark.server

SITUATIONS = all_situations()
# Bytes of a body that each run reads.
LARGEST_MESSAGES = (25_000, 4_000_000)
TOO_LARGE = (
    "select source, value, reason_detail from {cdc}.cdc_rejected_messages"
    " where reason = 'TOO_LARGE' and source like '%large%' order by source"
)
DAMAGED = int(os.environ.get("CDC_TEST_DAMAGED", "60"))  # messages of each vendor
SEED = int(os.environ.get("CDC_TEST_SEED", "1"))

each_situation = pytest.mark.parametrize(
    "situation", SITUATIONS, ids=[f"{one.name}: {one.sentence}" for one in SITUATIONS]
)


@pytest.fixture(scope="module")
def found_too_large() -> list[tuple[Any, ...]]:
    """What the first run rejected as too large."""
    return []


@pytest.fixture(scope="module")
def project(
    make_project: Callable[..., DbtProject], found_too_large: list[tuple[Any, ...]]
) -> DbtProject:
    """A project in which every situation was landed and built, beside messages that were damaged at random."""
    project = make_project("cdc_situations")
    tables = project.folder / "seeds" / "config" / "cdc_tables.csv"
    lines = [f"{one.vendor},{one.name},{line}\n" for one in SITUATIONS for line in one.tables]
    tables.write_text(tables.read_text() + "".join(lines))
    project.dbt("seed")
    for vendor in VENDORS:
        project.land(vendor, "damaged", damaged_messages(vendor, SEED, DAMAGED))
    for run in range(RUNS):
        for one in SITUATIONS:
            if run < len(one.runs) and one.runs[run]:
                project.land(one.vendor, one.name, list(one.runs[run]))
        project.dbt("run", cdc_largest_message=LARGEST_MESSAGES[run])
        if run == 0:
            # Damaged messages hold bodies of any size.
            found_too_large.extend(project.query(TOO_LARGE))
    return project


@dataclass
class Marts:
    """What the marts hold of each source; a query is sent once for all of them."""

    project: DbtProject
    found: dict[str, dict[str, list[tuple[Any, ...]]]] = field(default_factory=dict)

    def of(self, source: str, query: str) -> list[tuple[Any, ...]]:
        """The rows of a source that a query finds, whose first column is the source."""
        if query not in self.found:
            self.found[query] = {}
            for name, *row in self.project.query(query):
                self.found[query].setdefault(name, []).append(tuple(row))
        return self.found[query].get(source, [])


@pytest.fixture(scope="module")
def marts(project: DbtProject) -> Marts:
    return Marts(project)


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat(sep=" ")


@each_situation
def test_current_rows_are_those_of_the_source(marts: Marts, situation: Situation) -> None:
    found = [
        (table, comparable(read_json(row)), is_deleted)
        for table, row, is_deleted in marts.of(
            situation.name,
            "select source, table_name, `row`, is_deleted from {cdc}.cdc_current_rows"
            " order by table_name, row_key, database_name",
        )
    ]
    assert found == [
        (row.table_name, comparable(row.row), row.is_deleted) for row in situation.rows
    ]


@pytest.mark.parametrize(
    "situation",
    [one for one in SITUATIONS if one.same_as],
    ids=[one.name for one in SITUATIONS if one.same_as],
)
def test_every_column_of_the_changelog_is_the_same_whichever_message_lands_first(
    marts: Marts, situation: Situation
) -> None:
    # What names the situation itself, or counts batches and loads, differs.
    query = (
        "select source, * except (source, change_id, landing_batch) from {cdc}.cdc_changelog"
        " order by position"
    )
    found = marts.of(situation.name, query)
    assert found
    assert found == marts.of(str(situation.same_as), query)


@pytest.mark.parametrize(
    "situation",
    [one for one in SITUATIONS if one.versions is not None],
    ids=[one.name for one in SITUATIONS if one.versions is not None],
)
def test_versions_are_those_of_the_source(marts: Marts, situation: Situation) -> None:
    found = [
        (comparable(read_json(row)), _time(valid_from), _time(valid_to), closed_by)
        for row, valid_from, valid_to, closed_by in marts.of(
            situation.name,
            "select source, `row`, valid_from, valid_to, closed_by from {cdc}.cdc_row_versions"
            " order by row_key, version_number",
        )
    ]
    assert found == [
        (comparable(one.row), one.valid_from, one.valid_to, one.closed_by)
        for one in situation.versions or ()
    ]


@each_situation
def test_nothing_is_rejected_or_waits_that_should_not(marts: Marts, situation: Situation) -> None:
    counts = marts.of(
        situation.name,
        "select source, sum(rejected), sum(pending) from {cdc}.cdc_health group by source",
    )
    assert counts == [(situation.rejected, situation.pending)]


@each_situation
def test_changes_carry_the_warnings_that_they_should(marts: Marts, situation: Situation) -> None:
    lists = marts.of(
        situation.name,
        "select source, to_json(warnings) from {cdc}.cdc_changelog where warnings is not null",
    )
    found = {code for (text,) in lists for code in json.loads(text)}
    assert found == situation.warnings


@pytest.mark.parametrize(
    "situation",
    [one for one in SITUATIONS if one.reasons is not None],
    ids=[one.name for one in SITUATIONS if one.reasons is not None],
)
def test_what_is_rejected_says_why(marts: Marts, situation: Situation) -> None:
    found = marts.of(
        situation.name,
        "select source, reason from {cdc}.cdc_rejected_messages order by reason",
    )
    assert tuple(reason for (reason,) in found) == situation.reasons


@pytest.mark.usefixtures("project")
def test_a_message_above_the_largest_size_is_rejected_and_says_how_large_it_is(
    found_too_large: list[tuple[Any, ...]],
) -> None:
    sources = [source for source, _, _ in found_too_large]
    assert sources == [
        "savegress_large_batch",
        "sequin_large_batch",
        "supabase_large_transaction",
    ]
    for _, value, detail in found_too_large:
        assert value is None
        assert re.match(r"The body has 3\d{4} bytes; cdc_largest_message allows 25000\.", detail), (
            detail
        )


def test_a_body_that_is_not_utf_8_is_kept_as_it_was(project: DbtProject) -> None:
    [(value,)] = project.query(
        "select value from {cdc}.cdc_rejected_messages where source = 'savegress_not_utf_8'"
    )
    assert base64.b64decode(value) == b'{"events":[{"name":"Zo\xeb"},{}]}'


def test_freshness_leaves_out_times_and_positions_that_cannot_be(project: DbtProject) -> None:
    assert project.query(
        "select future_times, future_positions, last_committed_at, last_visible_position"
        " from {cdc}.cdc_health where source = 'savegress_far_future'"
    ) == [(1, 1, datetime(2026, 4, 1, 9), "0000002100000003/00000000000000000001")]


@pytest.mark.parametrize("vendor", VENDORS)
def test_damaged_messages_stop_nothing_and_each_has_its_place(
    project: DbtProject, vendor: str
) -> None:
    print(f"CDC_TEST_SEED={SEED} CDC_TEST_DAMAGED={DAMAGED}")
    [(messages, rejected)] = project.query(
        "select sum(messages), sum(rejected) from {cdc}.cdc_health"
        f" where vendor = '{vendor}' and source = 'damaged'"
    )
    assert messages == DAMAGED
    assert rejected > 0


def test_every_message_is_accounted_for(project: DbtProject) -> None:
    assert project.unaccounted() == []

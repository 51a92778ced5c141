"""What comes of situations that practitioners report (situations.py), in two runs of one project."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest

from tests.python.dbt_project import DbtProject
from tests.python.integration.situations import RUNS, Situation, all_situations
from tests.python.scenario.oracle import comparable, read_json

pytestmark = pytest.mark.server

SITUATIONS = all_situations()

each_situation = pytest.mark.parametrize(
    "situation", SITUATIONS, ids=[f"{one.name}: {one.sentence}" for one in SITUATIONS]
)


@pytest.fixture(scope="module")
def project(make_project: Callable[..., DbtProject]) -> DbtProject:
    """A project in which every situation was landed and built."""
    project = make_project("cdc_situations")
    tables = project.folder / "seeds" / "config" / "cdc_tables.csv"
    lines = [f"{one.vendor},{one.name},{line}\n" for one in SITUATIONS for line in one.tables]
    tables.write_text(tables.read_text() + "".join(lines))
    project.dbt("seed")
    for run in range(RUNS):
        for one in SITUATIONS:
            if run < len(one.runs) and one.runs[run]:
                project.land(one.vendor, one.name, list(one.runs[run]))
        project.dbt("run")
    return project


def _time(value: datetime | None) -> str | None:
    return None if value is None else value.isoformat(sep=" ")


@each_situation
def test_current_rows_are_those_of_the_source(project: DbtProject, situation: Situation) -> None:
    found = [
        (table, comparable(read_json(row)), is_deleted)
        for table, row, is_deleted in project.query(
            "select table_name, `row`, is_deleted from {cdc}.cdc_current_rows"
            f" where source = '{situation.name}' order by table_name, row_key, database_name"
        )
    ]
    assert found == [
        (row.table_name, comparable(row.row), row.is_deleted) for row in situation.rows
    ]


@pytest.mark.parametrize(
    "situation",
    [one for one in SITUATIONS if one.versions is not None],
    ids=[one.name for one in SITUATIONS if one.versions is not None],
)
def test_versions_are_those_of_the_source(project: DbtProject, situation: Situation) -> None:
    found = [
        (comparable(read_json(row)), _time(valid_from), _time(valid_to), closed_by)
        for row, valid_from, valid_to, closed_by in project.query(
            "select `row`, valid_from, valid_to, closed_by from {cdc}.cdc_row_versions"
            f" where source = '{situation.name}' order by row_key, version_number"
        )
    ]
    assert found == [
        (comparable(one.row), one.valid_from, one.valid_to, one.closed_by)
        for one in situation.versions or ()
    ]


@each_situation
def test_nothing_is_rejected_or_waits_that_should_not(
    project: DbtProject, situation: Situation
) -> None:
    counts: list[tuple[Any, ...]] = project.query(
        "select sum(rejected), sum(pending) from {cdc}.cdc_health"
        f" where source = '{situation.name}'"
    )
    assert counts == [(situation.rejected, situation.pending)]


@each_situation
def test_changes_carry_the_warnings_that_they_should(
    project: DbtProject, situation: Situation
) -> None:
    lists = project.query(
        "select to_json(warnings) from {cdc}.cdc_changelog where warnings is not null"
        f" and source = '{situation.name}'"
    )
    found = {code for (text,) in lists for code in json.loads(text)}
    assert found == situation.warnings


def test_every_message_is_accounted_for(project: DbtProject) -> None:
    project.dbt("test", "--select", "accounts_for_every_message")

"""S1: the marts are a pure function of the set of changes. Random histories, many sources in one build."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from landing.bodies import Message
from tests.python.conftest import SIXTH_VENDOR
from tests.python.dbt_project import DbtProject
from tests.python.integration.histories import delivered, random_history
from tests.python.story.oracle import comparable, expected_marts

HISTORIES = int(os.environ.get("CDC_TEST_HISTORIES", "220"))
FIRST_SEED = int(os.environ.get("CDC_TEST_SEED", "1"))
BATCHES = 3

pytestmark = pytest.mark.server

VERSIONS = """
    select source, table_name, row_key, version_number, `row`, valid_from, valid_to, valid_from_position,
        valid_to_position, is_current, opened_by, closed_by, moved_from_row_key, moved_to_row_key, change_count, change_id
    from {cdc}.cdc_row_versions order by source, table_name, row_key, version_number
"""
CURRENT_ROWS = """
    select source, table_name, row_key, `row`, is_deleted, is_partial, operation, position, committed_at, change_id,
        first_seen_at, deleted_at, version_count
    from {cdc}.cdc_current_rows order by source, table_name, row_key
"""
CHANGELOG = """
    select change_id, source, table_name, operation, row_key, row_key_before, before, after, after_image, before_image,
        epoch, position, committed_at, snapshot_at, transaction_id
    from {cdc}.cdc_changelog order by change_id
"""


def _land(project: DbtProject, bodies_by_source: Iterable[tuple[str, list[str]]]) -> None:
    for source, bodies in bodies_by_source:
        project.land("acme", source, [Message(body) for body in bodies])


def _land_together(project: DbtProject, bodies: list[tuple[str, str]]) -> None:
    """Land messages of many sources quickly: one statement instead of one per source."""
    rows = ",".join(
        "("
        + ",".join("'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'" for text in pair)
        + ")"
        for pair in bodies
    )
    batch = project.query("select coalesce(max(landing_batch), 0) + 1 from {raw}.acme")[0][0]
    project.query(
        "insert into {raw}.acme (value, source, landing_batch) "
        f"select value, source, {batch} from values {rows} as landed (value, source)"
    )


@pytest.fixture(scope="module")
def histories() -> dict[str, list[dict[str, Any]]]:
    return {f"h{seed}": random_history(seed) for seed in range(FIRST_SEED, FIRST_SEED + HISTORIES)}


def _bodies(histories: dict[str, list[dict[str, Any]]]) -> list[list[tuple[str, str]]]:
    batches: list[list[tuple[str, str]]] = [[] for _ in range(BATCHES)]
    for source, messages in histories.items():
        for number, bodies in enumerate(delivered(int(source[1:]), messages, BATCHES)):
            batches[number].extend((body, source) for body in bodies)
    return batches


@pytest.fixture(scope="module")
def built_step_by_step(
    make_project: Callable[..., DbtProject], histories: dict[str, list[dict[str, Any]]]
) -> DbtProject:
    project = make_project("cdc_steps", SIXTH_VENDOR)
    project.dbt("seed")
    for bodies in _bodies(histories):
        _land_together(project, bodies)
        project.dbt("run")
    return project


@pytest.fixture(scope="module")
def built_at_once(
    make_project: Callable[..., DbtProject], histories: dict[str, list[dict[str, Any]]]
) -> DbtProject:
    project = make_project("cdc_once", SIXTH_VENDOR)
    project.dbt("seed")
    for bodies in reversed(_bodies(histories)):
        _land_together(project, bodies)
    project.dbt("run")
    return project


@pytest.mark.parametrize(
    "mart", [CHANGELOG, CURRENT_ROWS, VERSIONS], ids=["log", "current", "versions"]
)
def test_three_runs_equal_one_build_of_everything(
    built_step_by_step: DbtProject, built_at_once: DbtProject, mart: str
) -> None:
    assert built_step_by_step.query(mart) == built_at_once.query(mart)


def _changes(project: DbtProject) -> list[dict[str, Any]]:
    names = [name.strip() for name in CHANGELOG.split("select")[1].split("from")[0].split(",")]
    return [
        {"vendor": "acme", "database_name": None, "schema_name": "public"}
        | dict(zip(names, row, strict=True))
        for row in project.query(CHANGELOG)
    ]


def _row(text: str | None) -> Any:
    return None if text is None else comparable(json.loads(text))


def test_marts_equal_an_independent_oracle(built_step_by_step: DbtProject) -> None:
    current_rows, versions = expected_marts(_changes(built_step_by_step))
    expected_versions = {
        (
            version.table[1], version.table[4], version.row_key, version.version_number,
            comparable(version.row), version.valid_from, version.valid_to, version.valid_from_position,
            version.valid_to_position, version.is_current, version.opened_by, version.closed_by,
            version.moved_from_row_key, version.moved_to_row_key, version.change_count, version.change_id,
        )
        for version in versions
    }  # fmt: skip
    found_versions = {
        (*row[:4], _row(row[4]), *row[5:]) for row in built_step_by_step.query(VERSIONS)
    }
    assert found_versions == expected_versions, _difference(expected_versions, found_versions)
    expected_rows = {
        (
            row.table[1], row.table[4], row.row_key, None if row.row is None else comparable(row.row),
            row.is_deleted, row.is_partial, row.operation, row.position, row.committed_at, row.change_id,
            row.first_seen_at, row.deleted_at, row.version_count,
        )
        for row in current_rows
    }  # fmt: skip
    found_rows = {
        (*row[:3], _row(row[3]), *row[4:]) for row in built_step_by_step.query(CURRENT_ROWS)
    }
    assert found_rows == expected_rows, _difference(expected_rows, found_rows)


def _difference(expected: set[Any], found: set[Any]) -> str:
    missing = sorted(expected - found, key=str)[:8]
    unexpected = sorted(found - expected, key=str)[:8]
    return (
        f"histories {FIRST_SEED} to {FIRST_SEED + HISTORIES - 1}: "
        f"{len(expected - found)} missing, {len(found - expected)} unexpected\n"
        + "\n".join(f"missing    {row}" for row in missing)
        + "\n"
        + "\n".join(f"unexpected {row}" for row in unexpected)
    )


def test_a_run_with_nothing_new_writes_nothing(built_step_by_step: DbtProject) -> None:
    project = built_step_by_step
    tables = ["{cdc}.cdc_changelog", "{work}.cdc_row_states", "{work}.cdc_loads"]
    before = [project.query(f"describe history {table}")[0][0] for table in tables]
    project.dbt("run")
    assert [project.query(f"describe history {table}")[0][0] for table in tables] == before

"""S1: the marts are a pure function of the set of changes. Random histories, many sources in one build."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest

from tests.python.conftest import SIXTH_VENDOR
from tests.python.dbt_project import DbtProject
from tests.python.integration.histories import delivered, random_history
from tests.python.integration.proofs import (
    CHANGELOG,
    CURRENT_ROWS,
    VERSIONS,
    content_version,
    differences_from_oracle,
    land_together,
)

HISTORIES = int(os.environ.get("CDC_TEST_HISTORIES", "220"))
FIRST_SEED = int(os.environ.get("CDC_TEST_SEED", "1"))
BATCHES = 3

pytestmark = pytest.mark.server


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
    project = make_project("cdc_steps", SIXTH_VENDOR, rooms=("acme",))
    project.dbt("seed")
    for bodies in _bodies(histories):
        land_together(project, bodies)
        project.dbt("run")
    return project


@pytest.fixture(scope="module")
def built_at_once(
    make_project: Callable[..., DbtProject], histories: dict[str, list[dict[str, Any]]]
) -> DbtProject:
    project = make_project("cdc_once", SIXTH_VENDOR, rooms=("acme",))
    project.dbt("seed")
    for bodies in reversed(_bodies(histories)):
        land_together(project, bodies)
    project.dbt("run")
    return project


@pytest.mark.parametrize(
    "mart", [CHANGELOG, CURRENT_ROWS, VERSIONS], ids=["log", "current", "versions"]
)
def test_three_runs_equal_one_build_of_everything(
    built_step_by_step: DbtProject, built_at_once: DbtProject, mart: str
) -> None:
    assert built_step_by_step.query(mart) == built_at_once.query(mart)


def test_marts_equal_an_independent_oracle(built_step_by_step: DbtProject) -> None:
    differences = differences_from_oracle(built_step_by_step)
    assert differences == [], (
        f"histories {FIRST_SEED} to {FIRST_SEED + HISTORIES - 1}: {len(differences)} differences\n"
        + "\n".join(differences[:16])
    )


def test_a_run_with_nothing_new_writes_nothing(built_step_by_step: DbtProject) -> None:
    project = built_step_by_step
    tables = ["{cdc}.cdc_changelog", "{work}.cdc_row_states", "{work}.cdc_loads"]
    before = [content_version(project, table) for table in tables]
    project.dbt("run")
    assert [content_version(project, table) for table in tables] == before

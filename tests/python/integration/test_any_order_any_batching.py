"""S1: the marts are a pure function of the set of changes.

The quick proof was landed and built in three runs. Here the same messages are landed in another order
and built at once, and what came of the random histories is compared with an independent oracle.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.python.dbt_project import DbtProject
from tests.python.integration.proofs import (
    CHANGELOG,
    CURRENT_ROWS,
    QUICK_SEEDS,
    VERSIONS,
    QuickProof,
    content_version,
    land_together,
    quick_batches,
    quick_project_folder,
)

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def built_at_once(
    quick_proof: QuickProof, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DbtProject]:
    folder = quick_project_folder(tmp_path_factory.mktemp("cdc_once"))
    project = DbtProject(folder, quick_proof.project.server, "cdc_once")
    project.drop_schemas()
    project.dbt("seed")
    for number, batch in enumerate(reversed(list(quick_batches().values())), start=1):
        land_together(project, batch[::-1], number)
    project.dbt("run")
    yield project
    project.drop_schemas()


@pytest.mark.parametrize(
    "mart", [CHANGELOG, CURRENT_ROWS, VERSIONS], ids=["log", "current", "versions"]
)
def test_three_runs_equal_one_build_of_everything(
    quick_proof: QuickProof, built_at_once: DbtProject, mart: str
) -> None:
    assert quick_proof.project.query(mart) == built_at_once.query(mart)


def test_marts_equal_an_independent_oracle(quick_proof: QuickProof) -> None:
    differences = quick_proof.differences_from_oracle()
    assert differences == [], f"seeds {QUICK_SEEDS}: {len(differences)} differences\n" + "\n".join(
        differences[:16]
    )


def test_a_run_with_nothing_new_writes_nothing(quick_proof: QuickProof) -> None:
    project = quick_proof.project
    tables = ["{cdc}.cdc_changelog", "{work}.cdc_row_states", "{work}.cdc_loads"]
    before = [content_version(project, table) for table in tables]
    project.dbt("run")
    assert [content_version(project, table) for table in tables] == before

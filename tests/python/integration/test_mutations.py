"""The tests notice a broken project: every mutant, with `make test-all`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.mutations import (
    MUTATIONS,
    Mutation,
    MutationError,
    apply,
    failures_of_mutant,
    failures_of_unbroken,
)
from tests.python.helpers.quick_proof import QuickProof, quick_project_folder

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def unbroken(
    quick_proof: QuickProof, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], list[str]]:
    """What fails where a mutant starts and nothing is broken, asked once for each start."""

    @cache
    def failures(run: str) -> list[str]:
        return failures_of_unbroken(quick_proof, run, tmp_path_factory.mktemp("cdc_unbroken"))

    return failures


@pytest.mark.slow
@pytest.mark.parametrize(
    "mutation", [pytest.param(mutation, id=mutation.breaks) for mutation in MUTATIONS]
)
def test_a_mutant_is_caught_where(
    quick_proof: QuickProof,
    unbroken: Callable[[str], list[str]],
    mutation: Mutation,
    tmp_path: Path,
) -> None:
    if mutation.vendor is None:
        assert unbroken(mutation.run) == []
    assert mutation.caught_by in failures_of_mutant(quick_proof, mutation, tmp_path / "mutant")


def test_a_mutation_whose_text_is_gone_is_an_error(tmp_path: Path) -> None:
    folder = quick_project_folder(tmp_path / "mutant")
    apply(MUTATIONS[0], folder)
    with pytest.raises(MutationError, match="not once"):
        apply(MUTATIONS[0], folder)


def test_mutations_have_names_of_their_own() -> None:
    assert Counter(mutation.name for mutation in MUTATIONS).most_common(1)[0][1] == 1

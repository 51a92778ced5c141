"""A mutant whose text is gone from the project would show nothing: each must still find its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mutations import MUTATIONS, Mutation, apply
from tests.python.helpers.quick_proof import quick_project_folder


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[mutation.name for mutation in MUTATIONS])
def test_a_mutation_still_finds_its_text(mutation: Mutation, tmp_path: Path) -> None:
    vendors = [mutation.vendor] if mutation.vendor else []
    apply(mutation, quick_project_folder(tmp_path / "mutant", *vendors))

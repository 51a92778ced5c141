"""What integration tests share: the quick proof, built once for all of them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.config import EngineConfig
from tests.python.dbt_project import DbtProject
from tests.python.integration.proofs import QuickProof, quick_project_folder


@pytest.fixture(scope="session")
def quick_proof(
    server: EngineConfig, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[QuickProof]:
    """The cases and some random histories, landed in three runs of one project."""
    folder = quick_project_folder(tmp_path_factory.mktemp("cdc_quick"))
    project = DbtProject(folder, server, "cdc_quick")
    proof = QuickProof(project)
    proof.drop()
    proof.build()
    yield proof
    proof.drop()

"""What tests share: one server for all of them, and projects with schemas of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from engine.background import running_server
from engine.config import REPOSITORY, EngineConfig, config_from_environment
from engine.locks import free_port
from tests.python.dbt_project import DbtProject, copy_project, keep_vendors

SIXTH_VENDOR = REPOSITORY / "tests" / "sixth_vendor"


@pytest.fixture(scope="session")
def server() -> Iterator[EngineConfig]:
    """The Thrift server of the tests, with a folder and a port of its own."""
    if "CDC_THRIFT_PORT" not in os.environ:
        os.environ["CDC_DATA_DIR"] = str(REPOSITORY / ".local" / "test")
        os.environ["CDC_THRIFT_PORT"] = str(free_port())
    with running_server(config_from_environment()) as config:
        yield config


@pytest.fixture(scope="module")
def make_project(
    server: EngineConfig, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., DbtProject]]:
    """Makes project copies; their schemas are dropped when the module's tests are done."""
    made: list[DbtProject] = []

    def make(
        name: str, *overlays: Path, vendors: tuple[str, ...] = (), **variables: object
    ) -> DbtProject:
        folder = copy_project(tmp_path_factory.mktemp(name), *overlays)
        if vendors:
            keep_vendors(folder, *vendors)
        project = DbtProject(folder, server, name, dict(variables))
        project.drop_schemas()
        made.append(project)
        return project

    yield make
    for project in made:
        project.drop_schemas()

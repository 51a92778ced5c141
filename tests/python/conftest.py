"""What tests share: one server for all of them, and projects with schemas of their own."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from cdc_changelog.config import REPOSITORY, ServerConfig, config_from_environment
from cdc_changelog.server.background import running_server
from cdc_changelog.server.locks import free_port
from tests.python.helpers.dbt_project import DbtProject, copy_project, keep_vendors

SIXTH_VENDOR = REPOSITORY / "tests" / "sixth_vendor"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that need no server come first, while it starts."""
    items.sort(key=_needs_server)


def _needs_server(item: pytest.Item) -> bool:
    return item.get_closest_marker("server") is not None or "server" in getattr(
        item, "fixturenames", ()
    )


@pytest.fixture(scope="session", autouse=True)
def starting_server(request: pytest.FixtureRequest) -> Iterator[Future[ServerConfig]]:
    """The Thrift server of the tests, with a folder and a port of its own, once it answers."""
    if "CDC_THRIFT_PORT" not in os.environ:
        os.environ["CDC_DATA_DIR"] = str(REPOSITORY / ".local" / "test")
        os.environ["CDC_THRIFT_PORT"] = str(free_port())
    config = config_from_environment()
    with ExitStack() as running, ThreadPoolExecutor(1) as starter:
        if any(map(_needs_server, request.session.items)):
            yield starter.submit(lambda: running.enter_context(running_server(config)))
        else:
            yield Future()


@pytest.fixture(scope="session")
def server(starting_server: Future[ServerConfig]) -> ServerConfig:
    """The Thrift server of the tests."""
    return starting_server.result()


@pytest.fixture(scope="module")
def make_project(
    server: ServerConfig, tmp_path_factory: pytest.TempPathFactory
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

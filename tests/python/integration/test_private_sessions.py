"""A server that gives each client a session of its own: all works as with a shared one, but the lock has to be a table."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from cdc_changelog.client import connect, run_sql
from cdc_changelog.config import ServerConfig
from python_udfs import registry
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.dbt_project import DbtError, DbtProject, copy_project, keep_vendors
from tests.python.helpers.quick_proof import QuickProof, quick_project_folder
from tests.python.helpers.samples import assert_scenario_comes_out, build_fixture_scenario
from tests.python.helpers.servers import server_with_private_sessions as private_sessions_on

# It starts a server of its own.
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def server_with_private_sessions(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[ServerConfig]:
    """A server whose clients do not see each other's settings, views and functions."""
    with private_sessions_on(tmp_path_factory.mktemp("private_sessions")) as config:
        yield config


def test_what_a_client_sets_is_not_seen_by_another(
    server_with_private_sessions: ServerConfig,
) -> None:
    server = server_with_private_sessions
    with closing(connect(server.host, server.port)) as one:
        run_sql(one, "set cdc.here = yes")
        with closing(connect(server.host, server.port)) as another:
            assert run_sql(another, "set cdc.here") == [("cdc.here", "<undefined>")]


def test_every_python_function_is_found_in_a_session_of_its_own(
    server_with_private_sessions: ServerConfig,
) -> None:
    server = server_with_private_sessions
    with closing(connect(server.host, server.port)) as client:
        for udf in registry.discover():
            [(first_line,), *_] = run_sql(client, f"describe function {udf.name}")
            assert first_line == f"Function: {udf.name}"


def test_cases_and_histories_come_out_as_on_a_server_with_a_shared_session(
    server_with_private_sessions: ServerConfig, tmp_path: Path
) -> None:
    project = DbtProject(
        quick_project_folder(tmp_path / "quick"),
        server_with_private_sessions,
        "cdc_private_quick",
        {"cdc_lock_in": "table"},
    )
    proof = QuickProof(project)
    proof.build()
    assert proof.failures() == []


def test_five_dialects_come_out_as_on_a_server_with_a_shared_session(
    server_with_private_sessions: ServerConfig, tmp_path: Path
) -> None:
    folder = copy_project(tmp_path / "fixtures")
    variables = {"cdc_fixtures": True, "cdc_lock_in": "table"}
    project = DbtProject(folder, server_with_private_sessions, "cdc_private_fixtures", variables)
    build_fixture_scenario(project)
    assert_scenario_comes_out(project)


def test_a_run_whose_lock_no_other_would_see_does_not_begin(
    server_with_private_sessions: ServerConfig, tmp_path: Path
) -> None:
    folder = copy_project(tmp_path / "lock", SIXTH_VENDOR)
    keep_vendors(folder, "acme")
    project = DbtProject(folder, server_with_private_sessions, "cdc_private_lock")
    with pytest.raises(DbtError, match="Set cdc_lock_in: table among"):
        project.dbt("seed")

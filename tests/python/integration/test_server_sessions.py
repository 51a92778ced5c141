"""Sessions of the Thrift server beside each other: every connection of dbt opens and ends one."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import pytest

from cdc_changelog.client import SqlConnection, connect, run_sql
from cdc_changelog.config import REPOSITORY, ServerConfig

pytestmark = pytest.mark.server

ROUNDS, SESSIONS_AT_A_TIME = 10, 8


def resource_folders(server: ServerConfig) -> set[Path]:
    """Folders that Hive makes when a session opens, and deletes when it ends."""
    return set(server.scratch_dir.glob("*resources"))


def test_a_session_has_a_folder_of_its_own_which_another_that_ends_leaves_alone(
    server: ServerConfig,
) -> None:
    before = resource_folders(server)
    first = connect(server.host, server.port)
    of_the_first = resource_folders(server) - before
    second = connect(server.host, server.port)
    second.close()
    assert len(of_the_first) == 1
    assert resource_folders(server) - before == of_the_first
    first.close()
    assert not of_the_first & resource_folders(server)


def test_sessions_that_open_at_the_same_moment_all_open(server: ServerConfig) -> None:
    """Two dbt runs that start at once: a folder that sessions share failed one of thirty."""
    start = Barrier(SESSIONS_AT_A_TIME)

    def open_session() -> SqlConnection:
        start.wait()
        return connect(server.host, server.port)

    errors: list[BaseException] = []
    with ThreadPoolExecutor(SESSIONS_AT_A_TIME) as clients:
        for _ in range(ROUNDS):
            opened = [clients.submit(open_session) for _ in range(SESSIONS_AT_A_TIME)]
            for session in opened:
                if error := session.exception():
                    errors.append(error)
                else:
                    session.result().close()
    assert errors == []


def test_a_client_that_leaves_while_another_drops_its_temporary_views_does_not_fail(
    server: ServerConfig,
) -> None:
    """The server looks at the temporary views of all when a session ends, and misses those dropped."""
    views = [f"cdc_leaving_{number}" for number in range(40)]

    def come_and_leave() -> None:
        for _ in range(20):
            connect(server.host, server.port).close()

    other = connect(server.host, server.port)
    for view in views:
        run_sql(other, f"create or replace temporary view {view} as select 1 as one")
    with ThreadPoolExecutor(1) as clients:
        leaving = clients.submit(come_and_leave)
        for view in views:
            run_sql(other, f"drop view {view}")
        leaving.result()
    other.close()


def test_the_same_content_landed_twice_at_the_same_moment_lands_once(
    server: ServerConfig, tmp_path: Path
) -> None:
    first, path = tmp_path / "first.jsonl", tmp_path / "orders.jsonl"
    body = '{"record":{"id":1},"action":"insert","metadata":{}}\n'
    first.write_text(body)
    path.write_text(body * 3)
    schema = "cdc_landed_at_once"
    command = [
        sys.executable, "-m", "cdc_changelog.landing.files",
        "--vendor", "sequin", "--source", "shop", "--raw-schema", schema,
    ]  # fmt: skip
    environment = os.environ | {"CDC_THRIFT_HOST": server.host, "CDC_THRIFT_PORT": str(server.port)}
    connection = connect(server.host, server.port)
    try:
        # The tables are there, so that nothing but the ledger decides.
        subprocess.run([*command, str(first)], cwd=REPOSITORY, env=environment, check=True)
        landers = [
            subprocess.Popen(
                [*command, str(path)],
                cwd=REPOSITORY,
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
            )
            for _ in range(2)
        ]
        said = [lander.communicate()[0].decode() for lander in landers]
        assert 0 in [lander.returncode for lander in landers], said
        assert run_sql(connection, f"select count(*) from {schema}.sequin") == [(4,)], said
    finally:
        # Table by table: Iceberg's catalog drops a schema only when nothing is in it.
        for table in ("sequin", "_landed_files"):
            run_sql(connection, f"drop table if exists {schema}.{table}")
        run_sql(connection, f"drop schema if exists {schema}")
        connection.close()

"""Sessions of the Thrift server beside each other: every connection of dbt opens and ends one."""

from __future__ import annotations

from pathlib import Path
from threading import Barrier, Thread

import pytest
from pyhive import hive

from engine.config import EngineConfig

pytestmark = pytest.mark.server

ROUNDS, SESSIONS_AT_A_TIME = 10, 8


def resource_folders(server: EngineConfig) -> set[Path]:
    """Folders that Hive makes when a session opens, and deletes when it ends."""
    return set(server.scratch_dir.glob("*resources"))


def test_a_session_has_a_folder_of_its_own_which_another_that_ends_leaves_alone(
    server: EngineConfig,
) -> None:
    before = resource_folders(server)
    first = hive.connect(host=server.host, port=server.port)
    of_the_first = resource_folders(server) - before
    second = hive.connect(host=server.host, port=server.port)
    second.close()
    assert len(of_the_first) == 1
    assert resource_folders(server) - before == of_the_first
    first.close()
    assert not of_the_first & resource_folders(server)


def test_sessions_that_open_at_the_same_moment_all_open(server: EngineConfig) -> None:
    """Two dbt runs that start at once: a folder that sessions share failed one of thirty."""
    refused: list[str] = []
    for _ in range(ROUNDS):
        start = Barrier(SESSIONS_AT_A_TIME)
        opened: list[hive.Connection] = []

        def open_session(start: Barrier = start, opened: list[hive.Connection] = opened) -> None:
            start.wait()
            try:
                opened.append(hive.connect(host=server.host, port=server.port))
            except Exception as error:
                refused.append(str(error))

        clients = [Thread(target=open_session) for _ in range(SESSIONS_AT_A_TIME)]
        for client in clients:
            client.start()
        for client in clients:
            client.join()
        for connection in opened:
            connection.close()
    assert refused == []

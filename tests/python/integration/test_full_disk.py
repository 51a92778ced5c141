"""A full disk: a run fails soon and says so, and the server answers again or says that it must be started anew."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from cdc_changelog.config import ServerConfig
from cdc_changelog.server import background
from cdc_changelog.server.locks import free_port
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtProject, copy_project, keep_vendors
from tests.python.helpers.quick_proof import CHANGELOG, CURRENT_ROWS, VERSIONS, land_together

pytestmark = [pytest.mark.server, pytest.mark.slow]

SIZE = "300m"
MOST_SECONDS = 60


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of a few hundred megabytes."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}", "tmpfs", str(folder)]
    if subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no right to mount a file system")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _fill(disk: Path, left: int) -> Path:
    """Take all but some bytes."""
    filler = disk / "filler"
    space = os.statvfs(disk)
    with filler.open("wb") as file:
        os.posix_fallocate(file.fileno(), 0, space.f_bavail * space.f_frsize - left)
    return filler


def _run(project: DbtProject) -> tuple[int, str, float]:
    """Run dbt as a process of its own: its code, what it said, and the seconds that it took."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "dbt.cli.main", *project.dbt_arguments("run")],
        cwd=project.folder, env=os.environ | project.environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr, time.monotonic() - began


def _what_the_server_says(config: ServerConfig) -> str:
    """Wait until the server has seen that there is space again, and return what it says of it."""
    deadline, pause = time.monotonic() + MOST_SECONDS, threading.Event()
    while time.monotonic() < deadline:
        said = background.log_path(config).read_text()
        if "There is space again" in said:
            return said
        pause.wait(0.2)
    raise AssertionError(said)


# What is left decides whether the metastore's database or a table meets the end of the disk first.
@pytest.mark.parametrize("left", [0, 200_000, 300_000, 900_000])
def test_a_run_on_a_full_disk_fails_soon_and_the_next_one_makes_up_for_it(
    server: ServerConfig, small_disk: Path, tmp_path: Path, left: int
) -> None:
    config = replace(server, data_dir=small_disk / "data", port=free_port(), driver_memory="1g")
    folder = copy_project(tmp_path / "project", SIXTH_VENDOR)
    keep_vendors(folder, "acme")
    project = DbtProject(folder, config, "cdc_disk")
    background.start(config)
    try:
        project.dbt("seed")
        land_together(project, [(json.dumps(full(1, v="a")), "shop")], 1)
        project.dbt("run")
        land_together(project, [(json.dumps(full(2, v="b")), "shop")], 2)
        filler = _fill(small_disk, left)
        code, said, seconds = _run(project)
        assert code != 0
        assert seconds < MOST_SECONDS, said[-3000:]
        filler.unlink()
        if "start the server anew" in _what_the_server_says(config):
            background.stop(config)
            background.start(config)
        else:
            project.dbt("run-operation", "cdc_unlock")
        code, said, _ = _run(project)
        assert code == 0, said[-3000:]
        assert [row for (*row,) in project.query("select `row` from {cdc}.cdc_current_rows")] == [
            ['{"id":"1","v":"b"}']
        ]
        marts = [project.query(mart) for mart in (CHANGELOG, CURRENT_ROWS, VERSIONS)]
        assert [len(rows) for rows in marts] == [2, 1, 2]
    finally:
        background.stop(config)

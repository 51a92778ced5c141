"""The benchmark at its smallest: every job runs, and its result is what the generator says is true."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.benchmark_server import VENDOR_FOLDERS
from cdc_changelog.config import REPOSITORY
from cdc_changelog.server.locks import free_port

pytestmark = [pytest.mark.server, pytest.mark.slow]


def _bench(folder: Path, *arguments: str) -> str:
    environment = os.environ | {
        "CDC_DATA_DIR": str(folder / "data"),
        "CDC_THRIFT_PORT": str(free_port()),
    }
    command = [sys.executable, "-m", "benchmarks", "--repetitions", "1", "--no-report", *arguments]
    done = subprocess.run(
        command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


def test_a_small_benchmark_runs_and_its_results_are_true(tmp_path: Path) -> None:
    output = _bench(tmp_path, "--messages", "2000", "--vendors", "qlik", "--cases", "full")
    for job in ("floor", "hand-written", "package"):
        assert output.count(f" {job} ") == 1


def test_messages_of_every_vendor_can_be_made_and_parsed(tmp_path: Path) -> None:
    output = _bench(tmp_path, "--messages", "1000", "--cases", "floor")
    assert output.count(" floor ") == 2 * len(VENDOR_FOLDERS)  # the case's name, and the job's


@pytest.mark.parametrize("cases", ["full increment idle", "partial", "hot"])
def test_every_case_of_every_vendor_gives_what_is_true(tmp_path: Path, cases: str) -> None:
    output = _bench(
        tmp_path, "--messages", "3000", "--increments", "200", "--cases", *cases.split()
    )
    assert output.count(" package ") >= 2


def test_executors_that_are_processes_of_their_own_give_what_is_true(tmp_path: Path) -> None:
    output = _bench(
        tmp_path, "--messages", "3000", "--vendors", "qlik", "--cases", "full",
        "--master", "local-cluster[2,1,1024]",
    )  # fmt: skip
    assert output.count(" package ") == 1

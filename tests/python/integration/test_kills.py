"""A run that is killed at any moment is made good by the next one, which is simply started.

Each kill begins with the quick proof's tables as they were before its last run, or with landed messages
alone, starts `dbt run` as a process of its own, kills that process (or the server's Java process) at a
random moment, runs dbt again, and compares everything with a build that nobody killed.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from engine import background
from tests.python.dbt_project import DbtProject
from tests.python.integration.proofs import (
    CHANGELOG,
    CURRENT_ROWS,
    HEALTH,
    LANDED_STATE,
    STATE,
    VERSIONS,
    QuickProof,
    quick_project_folder,
)

QUICK_KILLS = 3
KILLS = int(os.environ.get("CDC_TEST_KILLS", "24"))
FIRST_SEED = int(os.environ.get("CDC_TEST_SEED", "1"))
# Before this part of a run dbt reads its project and has sent nothing to the server.
READING_PART = 0.3

pytestmark = pytest.mark.server


@dataclass(frozen=True)
class Kill:
    """What is killed, in what kind of run, and at which part of its length."""

    seed: int
    victim: str
    is_first_build: bool
    part: float

    def __str__(self) -> str:
        run = "a first build" if self.is_first_build else "a later run"
        return f"{self.victim} at {self.part:.0%} of {run}, seed {self.seed}"


def _kill(seed: int) -> Kill:
    chance = random.Random(seed)
    number = seed - FIRST_SEED
    return Kill(
        seed,
        # The quick ones kill dbt alone: a new server takes as long as a run.
        "the server" if number >= QUICK_KILLS and number % 4 == 3 else "dbt",
        number % 3 == 2,
        chance.uniform(READING_PART, 1.0),
    )


@dataclass
class KilledProject:
    """A project whose runs are killed, the tables it begins with, and what it should end with."""

    project: DbtProject
    proof: QuickProof
    normal_seconds: float = 0.0

    def begin(self, *, is_first_build: bool) -> None:
        """Go back to the tables before the run."""
        if is_first_build:
            self.proof.copy_state(self.proof.finished, LANDED_STATE, self.project)
        else:
            self.proof.copy_state(self.proof.before_last_run, STATE, self.project)

    def start(self) -> subprocess.Popen[bytes]:
        """Start `dbt run` as a process of its own."""
        arguments = self.project.dbt_arguments("run")
        return subprocess.Popen(
            [sys.executable, "-m", "dbt.cli.main", *arguments],
            cwd=self.project.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env={
                **os.environ,
                "CDC_THRIFT_HOST": self.project.server.host,
                "CDC_THRIFT_PORT": str(self.project.server.port),
            },
        )

    def differences(self) -> list[Any]:
        """Return rows of the public tables that an unkilled build has otherwise."""
        found: list[Any] = []
        for query in (CHANGELOG, CURRENT_ROWS, VERSIONS, HEALTH):
            wanted, have = self.proof.project.query(query), self.project.query(query)
            if wanted != have:
                found += [("missing", row) for row in wanted if row not in have]
                found += [("unexpected", row) for row in have if row not in wanted]
                found += [("rows", len(wanted), len(have))]
        return found


@pytest.fixture(scope="module")
def killed(
    quick_proof: QuickProof, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KilledProject]:
    """A project like the quick proof's, and how long a run takes that nobody kills."""
    folder = quick_project_folder(tmp_path_factory.mktemp("cdc_killed"))
    project = DbtProject(folder, quick_proof.project.server, "cdc_killed")
    killed = KilledProject(project, quick_proof)
    killed.begin(is_first_build=False)
    began = time.monotonic()
    assert killed.start().wait() == 0
    killed.normal_seconds = time.monotonic() - began
    assert killed.differences() == []
    yield killed
    project.drop_schemas()


def _kill_java(project: DbtProject) -> None:
    """Kill the server's Java process, wait for the rest of the server, and start it again."""
    record = json.loads(project.server.ready_file.read_text())
    os.kill(int(record["java_pid"]), signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        # It ends by itself, and may have done so while it was being looked for.
        background.stop(project.server)
    background.start(project.server)


@pytest.mark.parametrize(
    "kill",
    [
        pytest.param(
            kill,
            id=str(kill),
            marks=[pytest.mark.slow] if kill.seed - FIRST_SEED >= QUICK_KILLS else [],
        )
        for kill in map(_kill, range(FIRST_SEED, FIRST_SEED + KILLS))
    ],
)
def test_the_next_run_makes_good_what_was_killed(killed: KilledProject, kill: Kill) -> None:
    killed.begin(is_first_build=kill.is_first_build)
    run = killed.start()
    try:
        run.wait(timeout=kill.part * killed.normal_seconds)
    except subprocess.TimeoutExpired:
        if kill.victim == "dbt":
            run.kill()
    if kill.victim == "the server":
        _kill_java(killed.project)
    run.wait()
    # A lock lives in the server's session: that of a killed dbt is taken away, that of a killed server is gone.
    if kill.victim == "dbt":
        killed.project.dbt("run-operation", "cdc_unlock")
    killed.project.dbt("run")
    assert killed.differences() == [], _log(killed.project.folder)


def test_a_table_that_a_killed_run_left_empty_is_copied_again(quick_proof: QuickProof) -> None:
    project = quick_proof.project
    if project.server.table_format != "parquet":
        pytest.skip(
            "Delta and Iceberg commit a table whole; only Parquet is rewritten by way of a copy."
        )
    before = project.query(VERSIONS)
    # What a run leaves that was killed while it copied, and one that was killed while it wrote a copy.
    copy, half_a_copy = (
        f"{project.work_schema}.cdc_row_states__rewritten_{run}" for run in ("a", "b")
    )
    for table, rows in ((copy, "true"), (half_a_copy, "change_count = 1")):
        project.query(
            f"create table {table} using parquet as select * from {{work}}.cdc_row_states where {rows}"
        )
    project.query("truncate table {work}.cdc_row_states")
    project.query(f"insert into {{work}}.cdc_rewrites values ('{copy}', false)")
    project.dbt("run")
    assert project.query(VERSIONS) == before
    assert project.query("select * from {work}.cdc_rewrites") == []
    assert project.query("show tables in {work} like '*__rewritten_*'") == []


def _log(folder: Path) -> str:
    """The last lines of both runs' log, for a difference that nobody expected."""
    lines = (folder / "logs" / "dbt.log").read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if " of " in line or "rror" in line)[-6000:]

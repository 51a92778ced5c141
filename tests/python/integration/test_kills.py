"""A run that is killed at any moment is recovered by the next one, which is simply started.

Each kill begins with the quick proof's tables as they were before its last run, or with landed messages
alone, starts `dbt run` as a process of its own, kills that process (or the server's Java process) at a
random moment, runs dbt again, and compares everything with a build that nobody killed.

A moment is some time into a certain statement, or that statement's end if it comes sooner, sent from
dbt's log: a machine that is slower or faster than it was, or busy with something else, does not move all
kills to the beginning or behind the end.
"""

from __future__ import annotations

import contextlib
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest

from cdc_changelog.server import background
from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.quick_proof import (
    CHANGELOG,
    CURRENT_ROWS,
    HEALTH,
    LANDED_STATE,
    QUICK_BATCHES,
    STATE,
    VERSIONS,
    QuickProof,
    quick_project_folder,
)

KILLS = int(os.environ.get("CDC_TEST_KILLS", "40"))
FIRST_SEED = int(os.environ.get("CDC_TEST_SEED", "1"))
POLL_SECONDS = 0.02
# A statement that is sent, and one that is done.
STATEMENT = re.compile(r"Using spark connection|SQL status: OK in ([\d.]+) seconds")

pytestmark = pytest.mark.server


@dataclass(frozen=True)
class Kill:
    """What is killed, in what kind of run, and at which part of the time that its statements take."""

    seed: int
    victim: str
    is_first_build: bool
    part: float

    def __str__(self) -> str:
        run = "a first build" if self.is_first_build else "a later run"
        return f"{self.victim} at {self.part:.0%} of {run}, seed {self.seed}"


def _kill(seed: int) -> Kill:
    part = random.Random(seed).random()
    number = seed - FIRST_SEED
    # Of half of the kills the moment lies in the later part of the run, where the event store is written and rows are.
    return Kill(
        seed,
        "the server" if number % 4 == 3 else "dbt",
        number % 3 == 2,
        (1 + part) / 2 if number % 4 in (0, 3) else part,
    )


@dataclass
class KilledProject:
    """A project whose runs are killed, the tables it begins with, and what it should end with."""

    project: DbtProject
    proof: QuickProof

    @cached_property
    def first_build(self) -> list[float]:
        """How long the statements take of a first build that nobody kills."""
        self.begin(is_first_build=True)
        assert self.start().wait() == 0
        assert self.differences() == []
        return _statements(self.log)

    @cached_property
    def later_run(self) -> list[float]:
        """The same of a later run: the proof's own last one, which followed its seed and the runs before."""
        commands = (self.proof.project.folder / "logs" / "dbt.log").read_text()
        return _statements(commands.split("Running with dbt=")[1 + len(QUICK_BATCHES)])

    @property
    def log_file(self) -> Path:
        """Where dbt writes what happens in the run that `start` began."""
        return self.project.folder / "logs" / "killed" / "dbt.log"

    @property
    def log(self) -> str:
        """What dbt has written of that run."""
        return self.log_file.read_text() if self.log_file.exists() else ""

    def moment(self, kill: Kill) -> tuple[int, float]:
        """In which statement a kill strikes, and how many seconds after it was sent."""
        statements = self.first_build if kill.is_first_build else self.later_run
        left = kill.part * sum(statements)
        for number, seconds in enumerate(statements):
            if left < seconds:
                return number, left
            left -= seconds
        raise AssertionError(f"No statements in the log of a run: {statements}")

    def begin(self, *, is_first_build: bool) -> None:
        """Go back to the tables before the run."""
        if is_first_build:
            self.proof.copy_state(self.proof.finished, LANDED_STATE, self.project)
        else:
            self.proof.copy_state(self.proof.before_last_run, STATE, self.project)

    def start(self) -> subprocess.Popen[bytes]:
        """Start `dbt run` as a process of its own, with a log of its own."""
        arguments = self.project.dbt_arguments("run")
        self.log_file.unlink(missing_ok=True)
        arguments[arguments.index("--log-path") + 1] = str(self.log_file.parent)
        return subprocess.Popen(
            [sys.executable, "-m", "dbt.cli.main", *arguments],
            cwd=self.project.folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | self.project.environment,
        )

    def wait_for(self, moment: tuple[int, float], run: subprocess.Popen[bytes]) -> None:
        """Wait until the moment of a kill, or less if its statement is done sooner or the run ends."""
        statement, seconds = moment
        begun_at: float | None = None
        while run.poll() is None:
            statements = _statements(self.log)
            if len(statements) > statement:
                begun_at = begun_at or time.monotonic()
                if statements[statement] or time.monotonic() - begun_at >= seconds:
                    return
            with contextlib.suppress(subprocess.TimeoutExpired):
                run.wait(POLL_SECONDS)

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
    """A project like the quick proof's."""
    folder = quick_project_folder(tmp_path_factory.mktemp("cdc_killed"))
    project = DbtProject(folder, quick_proof.project.server, "cdc_killed")
    yield KilledProject(project, quick_proof)
    project.drop_schemas()


def _statements(log: str) -> list[float]:
    """How many seconds each statement took, from a run's log; 0 while it is not done."""
    statements: list[float] = []
    for seconds in STATEMENT.findall(log):
        if seconds:
            statements[-1] = float(seconds)
        else:
            statements.append(0.0)
    return statements


def _kill_java(project: DbtProject) -> None:
    """Kill the server's Java process, wait for the rest of the server, and start it again."""
    record = json.loads(project.server.ready_file.read_text())
    os.kill(int(record["java_pid"]), signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError):
        # It ends by itself, and may have done so while it was being looked for.
        background.stop(project.server)
    background.start(project.server)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kill",
    [
        pytest.param(kill, id=str(kill))
        for kill in map(_kill, range(FIRST_SEED, FIRST_SEED + KILLS))
    ],
)
def test_the_next_run_makes_good_what_was_killed(killed: KilledProject, kill: Kill) -> None:
    moment = killed.moment(kill)
    killed.begin(is_first_build=kill.is_first_build)
    run = killed.start()
    killed.wait_for(moment, run)
    if kill.victim == "dbt":
        run.kill()
    else:
        _kill_java(killed.project)
    assert run.wait() != 0, "the run came to its end before it was killed"
    # A lock lives in the server's session: that of a killed dbt is taken away, that of a killed server is gone.
    if kill.victim == "dbt":
        killed.project.dbt("run-operation", "cdc_unlock")
    killed.project.dbt("run")
    assert killed.differences() == [], killed.log[-6000:] + _end_of_log(killed.project.folder)


def _end_of_log(folder: Path) -> str:
    """The last lines of the log of the run that should have made it good."""
    lines = (folder / "logs" / "dbt.log").read_text(errors="replace").splitlines()
    return "\n".join(line for line in lines if " of " in line or "rror" in line)[-6000:]

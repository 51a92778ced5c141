"""One run at a time: the lock in the session and in a table, and the heartbeat that says that its run is alive."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.dbt_project import DbtError, DbtProject
from tests.python.helpers.shell import Shell

pytestmark = pytest.mark.server

HOUR = 3600


@dataclass
class Lock:
    """A project, and where its lock is."""

    project: DbtProject
    is_a_table: bool

    def note(self, note: str, holder: str, seconds_ago: float) -> None:
        """Write the lock, or the heartbeat, as a run or a killed run leaves it."""
        text = f"{holder}@{time.time() - seconds_ago}"
        work = self.project.work_schema
        if self.is_a_table:
            self.project.query(f"update {work}.run_{note} set note = '{text}'")
        else:
            self.project.query(f"set cdc.{note}.{work}={text}")

    @property
    def holder(self) -> str:
        """What the lock names."""
        work = self.project.work_schema
        if self.is_a_table:
            [(note,)] = self.project.query(f"select note from {work}.run_lock")
        else:
            [(_, note)] = self.project.query(f"set cdc.lock.{work}")
        return str(note).split("@")[0]

    def write(self) -> None:
        """Do something that takes the lock and gives it back."""
        self.project.dbt("seed", "--select", "cdc_epochs")


@pytest.fixture(scope="module", params=["session", pytest.param("table", marks=pytest.mark.slow)])
def lock(request: pytest.FixtureRequest, make_project: Callable[..., DbtProject]) -> Lock:
    """A project whose lock is free, and was taken before."""
    project = make_project(
        f"cdc_lock_{request.param}", SIXTH_VENDOR, vendors=("acme",), cdc_lock_in=request.param
    )
    project.write_variables(cdc_lock_in=request.param)
    found = Lock(project, request.param == "table")
    found.write()
    return found


def test_a_run_gives_the_lock_back_at_its_end(lock: Lock) -> None:
    lock.note("lock", "interrupted", HOUR)
    lock.write()
    assert lock.holder == "ended"


def test_a_run_without_heartbeats_holds_the_lock_for_an_hour(lock: Lock) -> None:
    lock.note("heartbeat", "another-run", 0)
    lock.note("lock", "a-run", HOUR - 60)
    with pytest.raises(DbtError, match=r"Another run \(a-run\) is writing to schema"):
        lock.write()
    assert lock.holder == "a-run"
    lock.note("lock", "a-run", HOUR + 60)
    lock.write()
    assert lock.holder == "ended"


def test_a_run_with_heartbeats_is_alive_however_long_it_takes(lock: Lock) -> None:
    lock.note("lock", "a-run", 5 * HOUR)
    lock.note("heartbeat", "a-run", 20)
    with pytest.raises(DbtError, match="is writing to schema"):
        lock.write()
    assert lock.holder == "a-run"


def test_a_run_whose_heartbeat_has_stopped_for_a_minute_was_killed(lock: Lock) -> None:
    lock.note("lock", "a-run", 80)
    lock.note("heartbeat", "a-run", 61)
    lock.write()
    assert lock.holder == "ended"


def test_what_a_killed_run_holds_is_taken_from_it_by_a_command(lock: Lock) -> None:
    lock.note("lock", "a-run", 10)
    lock.project.dbt("run-operation", "cdc_unlock")
    assert lock.holder == "unlocked"
    lock.write()


def test_a_command_of_cdc_says_that_its_run_is_alive(lock: Lock) -> None:
    project = lock.project
    lock.note("heartbeat", "another-run", HOUR)
    profiles = {"DBT_PROFILES_DIR": str(project.folder / "profiles")}
    environment = profiles | {"CDC_RUN": "a-run-of-ours"}
    shell = Shell(project.folder, project.server, environment)
    shell.run("python", "-m", "cdc_changelog.dbt_process", "seed", "--select", "cdc_epochs")
    name = f"{project.work_schema}.run_heartbeat"
    query = (
        f"select note from {name}"
        if lock.is_a_table
        else f"set cdc.heartbeat.{project.work_schema}"
    )
    assert str(project.query(query)[0][-1]).startswith("a-run-of-ours@")


def test_of_two_runs_that_see_a_free_lock_in_a_table_one_takes_it(lock: Lock) -> None:
    if not lock.is_a_table:
        pytest.skip("In a session the last one wins, and both look again after a moment.")
    # What macro cdc_write_lock sends, from a run that saw the lock before another one took it.
    lock.note("lock", "ended", 10)
    [(seen,)] = lock.project.query("select note from {work}.run_lock")
    take = "update {work}.run_lock set note = '%s@1' where note = '" + str(seen) + "'"
    lock.project.query(take % "first")
    lock.project.query(take % "second")
    assert lock.holder == "first"
    lock.note("lock", "ended", 10)

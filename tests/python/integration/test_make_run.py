"""`make run` as a user calls it: its schemas in dbt_project.yml, interrupted, misconfigured, twice at once."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from cdc_changelog.config import REPOSITORY
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.quick_proof import land_together
from tests.python.helpers.shell import Shell

pytestmark = [pytest.mark.server, pytest.mark.slow]

PACKAGES = ("cdc_changelog", "python_udfs")
KEY_THAT_CONTRADICTS = "acme,*,*,things,v,,,"


@dataclass
class Clone:
    """A clone of the repository with one vendor and schemas of its own, and what its commands said."""

    project: DbtProject
    said: dict[str, str]
    codes: dict[str, int]

    @property
    def lock(self) -> str:
        """Who holds the lock, and since when."""
        return str(self.project.query(f"set cdc.lock.{self.project.work_schema}")[0][1])

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a module of the clone's own."""
        profiles = {"DBT_PROFILES_DIR": str(self.project.folder / "profiles")}
        shell = Shell(self.project.folder, self.project.server, profiles)
        return shell.start(sys.executable, "-m", *command)

    def end(self, name: str, process: subprocess.Popen[str]) -> None:
        """Keep what a command said."""
        self.said[name] = process.communicate()[0]
        self.codes[name] = process.returncode

    def run(self, name: str, *command: str) -> None:
        """Run a command to its end."""
        self.end(name, self.start(*(command or ("cdc_changelog", "run"))))

    def wait_for_lock(self) -> None:
        """Wait until a run has taken the lock."""
        deadline = time.monotonic() + 60
        while "make-" not in self.lock:
            assert time.monotonic() < deadline, self.lock
            time.sleep(0.1)

    def land(self, point: int) -> None:
        """Land a row of the table `things`."""
        land_together(self.project, [(json.dumps(full(point, v=point)), "shop")])

    def configure(self, *lines: str) -> None:
        """Write cdc_tables.csv."""
        seeds = self.project.folder / "seeds" / "config"
        header = (REPOSITORY / "seeds" / "config" / "cdc_tables.csv").read_text().splitlines()[0]
        (seeds / "cdc_tables.csv").write_text("\n".join([header, *lines]) + "\n")


@pytest.fixture(scope="module")
def clone(make_project: Callable[..., DbtProject]) -> Clone:
    """A clone in which everything happened that the tests look at."""
    project = make_project("cdc_clone", SIXTH_VENDOR, vendors=("acme",))
    for package in PACKAGES:
        shutil.copytree(REPOSITORY / package, project.folder / package, dirs_exist_ok=True)
        for folder in (project.folder / package).iterdir():
            if package == "python_udfs" and folder.is_dir() and folder.name not in ("changelog",):
                shutil.rmtree(folder)
    project.write_variables()
    clone = Clone(project, {}, {})
    clone.run("nothing has landed")
    clone.land(10)
    clone.run("first")
    clone.run("nothing new")
    clone.configure(KEY_THAT_CONTRADICTS)
    clone.run("a contradiction")
    clone.configure()
    clone.run("taken back")
    clone.land(20)
    _interrupt(clone)
    clone.run("after the interrupted run")
    _run_twice_at_once(clone)
    moved = "    marts:\n      cdc_health:\n        +schema: elsewhere\n"
    settings = project.folder / "dbt_project.yml"
    settings.write_text(settings.read_text().replace("    marts:\n", moved))
    clone.run("a mart lies elsewhere")
    return clone


def _interrupt(clone: Clone) -> None:
    process = clone.start("cdc_changelog", "run")
    clone.wait_for_lock()
    os.killpg(process.pid, signal.SIGINT)
    clone.end("interrupted", process)


def _run_twice_at_once(clone: Clone) -> None:
    """The first run has a seed step, since the seeds have changed."""
    clone.configure("acme,*,*,others,id,,,")
    clone.land(30)
    first = clone.start("cdc_changelog", "run")
    clone.wait_for_lock()
    clone.run("second")
    clone.end("first of two", first)


def test_schemas_of_dbt_project_yml_hold_for_models_hooks_and_tools(clone: Clone) -> None:
    assert clone.codes["first"] == 0, clone.said["first"]
    tables = {row[1] for row in clone.project.query("show tables in {work}")}
    assert {"int_events", "int_row_versions", "cdc_tables"} <= tables
    assert "Nothing new" in clone.said["nothing new"], clone.said["nothing new"]
    assert clone.project.query(
        "select position, count(*) from {cdc}.cdc_changelog group by position order by position"
    ) == [("0010", 1), ("0020", 1), ("0030", 1)]


def test_a_configuration_that_was_rejected_and_taken_back_has_no_effect(clone: Clone) -> None:
    assert clone.codes["a contradiction"] == 1
    assert "would contradict each other" in clone.said["a contradiction"]
    assert clone.codes["taken back"] == 0, clone.said["taken back"]
    assert "Nothing new" not in clone.said["taken back"]


def test_an_interrupted_run_gives_the_lock_back_and_loses_nothing(clone: Clone) -> None:
    assert clone.codes["interrupted"] == 130, clone.said["interrupted"]
    assert "Interrupted. The lock is free" in clone.said["interrupted"]
    assert "Traceback" not in clone.said["interrupted"]
    assert clone.codes["after the interrupted run"] == 0, clone.said["after the interrupted run"]


def test_a_second_run_hears_that_the_first_one_is_still_going(clone: Clone) -> None:
    assert clone.codes["first of two"] == 0, clone.said["first of two"]
    assert clone.codes["second"] != 0
    assert "is writing to schema" in clone.said["second"], clone.said["second"]
    assert "cdc unlock" in clone.said["second"]


def test_a_run_whose_models_lie_in_other_schemas_than_its_hooks_look_in_writes_nothing(
    clone: Clone,
) -> None:
    assert clone.codes["a mart lies elsewhere"] != 0
    assert "Models of this project lie in several schemas" in clone.said["a mart lies elsewhere"]
    assert not clone.project.query("show schemas like 'elsewhere'")

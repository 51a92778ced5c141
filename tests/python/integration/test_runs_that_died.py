"""A landing batch at which runs die is found and left out; a command sets it aside or has it tried again."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from cdc_changelog.commands.build import ALL_VIEWS, unread_vendors
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtError, DbtProject
from tests.python.helpers.quick_proof import land_together

pytestmark = [pytest.mark.server, pytest.mark.slow]

BATCHES = (1, 2, 3, 4)
VIEW = "show tables in {cdc} like 'cdc_health'"


@dataclass
class RunsThatDied:
    """A project, what each run read, and what was said."""

    project: DbtProject
    read: dict[str, list[int]] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    unread: dict[str, list[str]] = field(default_factory=dict)

    def die(self, step: str, *, by: str = "unlocked") -> None:
        """Do what a run does before it reads, then leave the lock as a run that dies leaves it."""
        self.project.dbt("run", "--select", "run_landing_batches")
        self.look(
            step, "select landing_batch from {work}.run_landing_batches where vendor is not null"
        )
        if by == "killed server":
            self.project.query(f"reset cdc.lock.{self.project.work_schema}")
        else:
            self.project.query(f"set cdc.lock.{self.project.work_schema}={by}@1")

    def run(self, step: str) -> None:
        """Run, and look at what is read by then."""
        # Views stay as they are, as in `make run`.
        left_out = ("--exclude", ALL_VIEWS) if self.project.query(VIEW) else ()
        try:
            self.project.dbt("run", *left_out)
        except DbtError as error:
            self.said[step] = str(error)
        self.look(step, "select distinct landing_batch from {work}.int_events")

    def look(self, step: str, query: str) -> None:
        """Note what a query gives, and what `make run` would find."""
        self.read[step] = sorted(batch for (batch,) in self.project.query(query))
        with closing(self.project.connection()) as connection:
            raw = {"acme": f"{self.project.raw_schema}.acme"}
            if self.project.query("show tables in {work} like 'int_events'"):
                self.unread[step] = unread_vendors(connection, raw, self.project.work_schema)


@pytest.fixture(scope="module")
def runs(make_project: Callable[..., DbtProject]) -> RunsThatDied:
    """Runs die at batches; the operator sets one aside, and lets it be tried again."""
    project = make_project("cdc_dying", SIXTH_VENDOR, vendors=("acme",))
    runs = RunsThatDied(project)
    project.dbt("seed")
    for batch in BATCHES:
        land_together(project, [(json.dumps(full(batch, key=str(batch), v=batch)), "shop")], batch)
    runs.die("interrupted", by="interrupted")
    runs.die("the first run dies", by="killed server")
    runs.die("the second run dies")
    runs.die("the third run dies")
    runs.run("the other half")
    runs.die("a run dies at one batch alone")
    runs.run("what was beside it")
    runs.run("nothing else is new")
    project.dbt("run-operation", "cdc_set_aside", "--args", "{vendor: acme, landing_batch: 1}")
    runs.run("it is set aside")
    project.dbt("run-operation", "cdc_try_again", "--args", "{vendor: acme, landing_batch: 1}")
    runs.run("it is tried again")
    return runs


def test_after_one_run_that_died_everything_is_read_again(runs: RunsThatDied) -> None:
    for step in ("interrupted", "the first run dies", "the second run dies"):
        assert runs.read[step] == [1, 2, 3, 4]


def test_after_two_runs_that_died_half_of_the_batches_are_read_and_nothing_else(
    runs: RunsThatDied,
) -> None:
    assert runs.read["the third run dies"] == [1, 2]
    assert runs.read["the other half"] == [3, 4]
    assert runs.read["a run dies at one batch alone"] == [1]


def test_a_batch_at_which_runs_die_is_left_out_and_the_run_ends_red_with_the_commands(
    runs: RunsThatDied,
) -> None:
    for step in ("what was beside it", "nothing else is new"):
        assert runs.read[step] == [2, 3, 4]
        assert "Two runs died while they read acme 1. This run left it out" in runs.said[step]
        assert "cdc try-again acme 1" in runs.said[step]
        assert "cdc set-aside acme 1" in runs.said[step]
    assert runs.said.get("the other half") is None


def test_what_is_set_aside_stops_nothing(runs: RunsThatDied) -> None:
    step = "it is set aside"
    assert (runs.read[step], runs.said.get(step)) == ([2, 3, 4], None)
    assert runs.unread["nothing else is new"] == ["acme"]
    assert runs.unread[step] == []


def test_what_is_tried_again_is_read(runs: RunsThatDied) -> None:
    step = "it is tried again"
    assert (runs.read[step], runs.said.get(step)) == ([1, 2, 3, 4], None)
    rows = runs.project.query("select row_key from {cdc}.cdc_current_rows order by 1")
    assert rows == [(f'["{batch}"]',) for batch in BATCHES]
    assert runs.project.unaccounted() == []


def test_a_batch_that_cannot_be_is_rejected(
    runs: RunsThatDied, capfd: pytest.CaptureFixture[str]
) -> None:
    for arguments, says in (
        ("{vendor: amce, landing_batch: 1}", "expected VENDOR, one of acme"),
        ("{vendor: acme, landing_batch: one}", "BATCH, the number of a landing batch"),
    ):
        with pytest.raises(DbtError):
            runs.project.dbt("run-operation", "cdc_set_aside", "--args", arguments)
        assert says in capfd.readouterr().out

"""A landing batch at which runs die is found, left out after two deaths, and set aside or tried again by a command."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from tests.python.conftest import SIXTH_VENDOR
from tests.python.dbt_project import DbtError, DbtProject
from tests.python.integration.cases import full
from tests.python.integration.proofs import land_together
from tools.build import unread_vendors

pytestmark = pytest.mark.server

BATCHES = (1, 2, 3, 4)


@dataclass
class Deaths:
    """A project, what each run read, and what was said."""

    project: DbtProject
    read: dict[str, list[int]] = field(default_factory=dict)
    said: dict[str, str] = field(default_factory=dict)
    unread: dict[str, list[str]] = field(default_factory=dict)

    def die(self, step: str, *, by: str = "unlocked") -> None:
        """Do what a run does before it reads, then leave the lock as a death leaves it."""
        self.project.dbt("run", "--select", "int_landing_batches")
        self.look(
            step, "select landing_batch from {work}.int_landing_batches where vendor is not null"
        )
        if by == "death of the server":
            self.project.query(f"reset cdc.lock.{self.project.work_schema}")
        else:
            self.project.query(f"set cdc.lock.{self.project.work_schema}={by}@1")

    def run(self, step: str) -> None:
        """Run, and look at what is read by then."""
        try:
            self.project.dbt("run")
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
def deaths(make_project: Callable[..., DbtProject]) -> Deaths:
    """Runs die at batches; the operator tries one of them again, and sets the other aside."""
    project = make_project("cdc_deaths", SIXTH_VENDOR, vendors=("acme",))
    deaths = Deaths(project)
    project.dbt("seed")
    for batch in BATCHES:
        land_together(project, [(json.dumps(full(batch, key=str(batch), v=batch)), "shop")], batch)
    deaths.die("interrupted", by="interrupted")
    deaths.die("the first death", by="death of the server")
    deaths.die("the second death")
    deaths.run("the others")
    deaths.run("nothing else is new")
    project.dbt("run-operation", "cdc_try_again", "--args", "{vendor: acme, landing_batch: 1}")
    project.dbt("run-operation", "cdc_set_aside", "--args", "{vendor: acme, landing_batch: 2}")
    deaths.run("one is tried again, one is set aside")
    project.dbt("run-operation", "cdc_try_again", "--args", "{vendor: acme, landing_batch: 2}")
    deaths.run("the other one is tried again")
    return deaths


def test_a_run_that_somebody_interrupted_is_no_death(deaths: Deaths) -> None:
    assert deaths.read["interrupted"] == [1, 2, 3, 4]
    assert deaths.read["the first death"] == [1, 2, 3, 4]


def test_after_a_death_half_of_the_batches_are_read_apart(deaths: Deaths) -> None:
    assert deaths.read["the second death"] == [1, 2]


def test_a_batch_at_which_two_runs_died_is_left_out_and_the_run_ends_red_with_the_commands(
    deaths: Deaths,
) -> None:
    assert deaths.read["the others"] == [3]
    for step in ("the others", "nothing else is new"):
        said = deaths.said[step]
        assert "Two runs died while they read acme 1, acme 2" in said
        assert "make try-again VENDOR=acme BATCH=1" in said
        assert "make set-aside VENDOR=acme BATCH=1" in said
    assert deaths.read["nothing else is new"] == [3, 4]


def test_what_is_tried_again_is_read_and_what_is_set_aside_stops_nothing(deaths: Deaths) -> None:
    step = "one is tried again, one is set aside"
    assert (deaths.read[step], deaths.said.get(step)) == ([1, 3, 4], None)
    assert deaths.unread["nothing else is new"] == ["acme"]
    assert deaths.unread[step] == []


def test_what_was_set_aside_can_be_taken_back(deaths: Deaths) -> None:
    step = "the other one is tried again"
    assert (deaths.read[step], deaths.said.get(step)) == ([1, 2, 3, 4], None)
    rows = deaths.project.query("select row_key from {cdc}.cdc_current_rows order by 1")
    assert rows == [(f'["{batch}"]',) for batch in BATCHES]
    assert deaths.project.unaccounted() == []


def test_a_batch_that_cannot_be_is_refused(
    deaths: Deaths, capfd: pytest.CaptureFixture[str]
) -> None:
    for arguments, says in (
        ("{vendor: amce, landing_batch: 1}", "expected VENDOR, one of acme"),
        ("{vendor: acme, landing_batch: one}", "BATCH, the number of a landing batch"),
    ):
        with pytest.raises(DbtError):
            deaths.project.dbt("run-operation", "cdc_set_aside", "--args", arguments)
        assert says in capfd.readouterr().out

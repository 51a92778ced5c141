"""Runs that stopped, and what comes late: a lock, a key, an epoch, messages that are rejected or in a batch that was read."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing

import pytest

from cdc_changelog.commands.build import is_behind
from cdc_changelog.landing.bodies import Message
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.scenario import (
    CLICKS,
    MAIL_IS_KEY,
    PEOPLE_AND_A_VISIT,
    TAPS,
    VISITS,
    Scenario,
    change,
    configure,
    drop_raw_batch,
)

pytestmark = [pytest.mark.server, pytest.mark.slow]


SELECTIONS = (
    "run_landing_batches",
    "int_events",
    "+int_events",
    "int_row_versions",
    "int_affected_rows+",
    "cdc_current_rows+",
)


def _run_selections(scenario: Scenario) -> None:
    """After each selection, another row lands; a whole run at the end makes up for what was left out."""
    for number, selection in enumerate(SELECTIONS, start=60):
        scenario.land(str(number - 30), number, f"{number}@x")
        scenario.project.dbt("run", "--select", selection)
    scenario.run("a whole run after selections")


def _retry_what_failed(scenario: Scenario) -> None:
    project = scenario.project
    model = project.folder / "models" / "intermediate" / "rows" / "int_affected_rows.sql"
    right = model.read_text()
    project.land("acme", "shop", [change("guests", "59", {"id": 9}, ["id"])])
    model.write_text(right.replace("from rows_to_rebuild", "from no_such_table"))
    scenario.run_that_fails("a model failed", "--write-json")
    model.write_text(right)
    project.dbt("retry")
    scenario.look("what failed was retried")


def _die_under_a_configuration_that_is_taken_back(scenario: Scenario) -> None:
    project = scenario.project
    project.land("acme", "shop", [change("clicks", "12", {"page": "start"}, None)])
    configure(project, [VISITS, MAIL_IS_KEY, CLICKS])
    project.dbt("run", "--select", "+int_events")
    configure(project, [VISITS, MAIL_IS_KEY])
    scenario.run_that_fails("a key is taken back that a run which died has read under")
    configure(project, [VISITS, MAIL_IS_KEY, CLICKS])
    scenario.run("the key is put back")
    scenario.land("58", 5, "e@x")
    project.dbt("run", "--select", "+int_events")
    configure(
        project,
        [VISITS, MAIL_IS_KEY, CLICKS],
        ["acme,shop,*,people,1,2026-01-01 00:00:55,,true"],
    )
    scenario.run_that_fails("an epoch for what a run that died has read under none")
    configure(project, [VISITS, MAIL_IS_KEY, CLICKS])
    scenario.run("the epoch is taken back")


def _die_between_the_events_and_the_versions(scenario: Scenario) -> None:
    project = scenario.project
    scenario.land("52", 6, "f@x")
    project.dbt("run", "--select", "+int_events")
    with closing(project.connection()) as connection:
        assert is_behind(connection, project.work_schema)
        scenario.run("after the events were stored and the versions were not built")
        assert not is_behind(connection, project.work_schema)


def _outlive_a_lock(scenario: Scenario) -> None:
    scenario.land("54", 7, "g@x")
    scenario.project.query(f"set cdc.lock.{scenario.project.work_schema}=a-run-of-long-ago@1")
    scenario.run("after a lock that nobody renewed")


def _wait_longer_than_raw_messages(scenario: Scenario) -> None:
    project = scenario.project
    project.land("acme", "shop", [change("taps", "13", {"page": "start"}, None)])
    scenario.run("a message waits")
    batch = project.query("select max(landing_batch) from {raw}.acme")[0][0]
    # The newest batch stays: the next landing counts on from it.
    scenario.land("56", 8, "h@x")
    drop_raw_batch(project, batch)
    configure(project, [VISITS, MAIL_IS_KEY, CLICKS, TAPS])
    scenario.run("its raw message is gone and its key comes")


def _begin_an_epoch_by_landing_batch(scenario: Scenario) -> None:
    project = scenario.project

    def copied(number: int, value: str) -> Message:
        row = {"id": number, "v": value}
        body = {"id": f"{number}{value}", "table": "copies", "operation": "snapshot", "key": ["id"]}
        return Message(json.dumps({**body, "after": row, "after_image": "full"}))

    project.land("acme", "copied", [copied(1, "a"), copied(2, "a")])
    scenario.run("a table was copied")
    next_batch = project.query("select max(landing_batch) + 1 from {raw}.acme")[0][0]
    configure(
        project,
        [VISITS, MAIL_IS_KEY, CLICKS, TAPS],
        # A schema or a table that is not named is every one.
        [f" acme, copied,,,1,,{next_batch},true"],
    )
    project.land("acme", "copied", [copied(1, "b")])
    scenario.run("it was copied again")


def _reject_a_message(scenario: Scenario) -> None:
    project = scenario.project
    test = ("--select", "no_message_is_rejected")
    project.land("acme", "shop", [Message("no JSON")])
    project.dbt("run")
    scenario.run_that_fails(
        "tested after a load that rejects", *test, command="test", cdc_fail_on_rejected="last_load"
    )
    scenario.land("57", 9, "i@x")
    project.dbt("run")
    project.dbt("test", *test, cdc_fail_on_rejected="last_load")
    scenario.run_that_fails(
        "tested for all that was rejected", *test, command="test", cdc_fail_on_rejected=True
    )


def _land_into_a_batch_that_was_read(scenario: Scenario) -> None:
    """Other batches are gone by now."""
    project = scenario.project
    test = ("--select", "accounts_for_every_message")
    project.dbt("test", *test)
    project.query(
        "insert into {raw}.acme (value, source, landing_batch)"
        " select '{}', 'shop', max(landing_batch) from {raw}.acme"
    )
    scenario.run_that_fails("landed into a batch that was read", *test, command="test")


@pytest.fixture(scope="module")
def scenario(make_project: Callable[..., DbtProject]) -> Scenario:
    """Built under the configuration that the steps change and take back."""
    project = make_project("cdc_died", SIXTH_VENDOR, vendors=("acme",))
    scenario = Scenario(project)
    configure(project, [VISITS, MAIL_IS_KEY])
    project.land("acme", "shop", PEOPLE_AND_A_VISIT)
    scenario.run("built")
    _die_under_a_configuration_that_is_taken_back(scenario)
    _die_between_the_events_and_the_versions(scenario)
    _outlive_a_lock(scenario)
    _run_selections(scenario)
    _retry_what_failed(scenario)
    _wait_longer_than_raw_messages(scenario)
    _begin_an_epoch_by_landing_batch(scenario)
    _reject_a_message(scenario)
    _land_into_a_batch_that_was_read(scenario)
    return scenario


def test_what_a_run_that_died_read_under_another_key_is_not_mixed_with_what_comes_after(
    scenario: Scenario,
) -> None:
    failed = scenario.seen["a key is taken back that a run which died has read under"]
    assert "cdc rebuild" in (failed.error or "")
    assert "clicks" in (failed.error or "")
    put_back = scenario.seen["the key is put back"]
    assert [row[1] for row in put_back.rows if row[0] == "clicks"] == ['["start"]']
    failed = scenario.seen["an epoch for what a run that died has read under none"]
    assert "cdc rebuild" in (failed.error or "")
    people = [row[1] for row in scenario.seen["the epoch is taken back"].rows if row[0] == "people"]
    assert people.count('["e@x"]') == 1


def test_a_run_that_dies_between_the_events_and_the_versions_is_recovered_by_the_next(
    scenario: Scenario,
) -> None:
    seen = scenario.seen["after the events were stored and the versions were not built"]
    assert [row[1] for row in seen.rows].count('["f@x"]') == 1


def test_a_whole_run_makes_up_for_what_selections_left_out(scenario: Scenario) -> None:
    before = scenario.seen["after a lock that nobody renewed"]
    seen = scenario.seen["a whole run after selections"]
    numbers = range(60, 60 + len(SELECTIONS))
    landed = [
        ("people", f'["{number}@x"]', f'{{"id":{number},"mail":"{number}@x","seen":1}}', False)
        for number in numbers
    ]
    assert seen.rows == sorted([*before.rows, *landed])
    assert len(seen.versions) == len(before.versions) + len(landed)
    changes = "select count(*), count(distinct change_id) from {cdc}.cdc_changelog"
    assert len(set(scenario.project.query(changes)[0])) == 1


def test_a_lock_of_long_ago_holds_up_no_run(scenario: Scenario) -> None:
    rows = scenario.seen["after a lock that nobody renewed"].rows
    assert [row[1] for row in rows].count('["g@x"]') == 1


def test_what_waits_is_released_although_its_raw_message_is_gone(scenario: Scenario) -> None:
    assert scenario.seen["a message waits"].pending == [("taps", "NO_KEY")]
    seen = scenario.seen["its raw message is gone and its key comes"]
    assert seen.pending == []
    assert ("taps", '["start"]', '{"page":"start"}', False) in seen.rows


def test_an_epoch_of_rows_without_a_time_begins_with_a_landing_batch(scenario: Scenario) -> None:
    seen = scenario.seen["it was copied again"]
    assert [row[1:] for row in seen.rows if row[0] == "copies"] == [
        ('["1"]', '{"id":1,"v":"b"}', False),
        ('["2"]', '{"id":2,"v":"a"}', True),
    ]


def test_a_message_that_lands_into_a_batch_that_was_read_is_noticed_where_other_batches_are_gone(
    scenario: Scenario,
) -> None:
    error = str(scenario.seen["landed into a batch that was read"].error)
    assert "accounts_for_every_message" in error


def test_a_retry_of_what_failed_is_a_run_like_any_other(scenario: Scenario) -> None:
    assert "no_such_table" in (scenario.seen["a model failed"].error or "")
    found = scenario.seen["what failed was retried"].rows
    assert ("guests", '["9"]', '{"id":9}', False) in found
    changes = "select count(*), count(distinct change_id) from {cdc}.cdc_changelog"
    assert len(set(scenario.project.query(changes)[0])) == 1


@pytest.mark.parametrize(
    "step", ["tested after a load that rejects", "tested for all that was rejected"]
)
def test_a_rejected_message_fails_a_build_that_wants_none(scenario: Scenario, step: str) -> None:
    assert "no_message_is_rejected" in str(scenario.seen[step].error)

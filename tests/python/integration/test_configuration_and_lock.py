"""Configuration that changes later, rebuilds, and one run at a time."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from engine.config import REPOSITORY
from landing.bodies import Message
from tests.python.conftest import SIXTH_VENDOR
from tests.python.dbt_project import DbtError, DbtProject, lay_over

pytestmark = pytest.mark.server

TABLES = "vendor\tsource\tschema_name\ttable_name\tkey_columns\thistory_ignored_columns\treplica_identity\tcolumn_names"
EPOCHS = (
    "vendor\tsource\tschema_name\ttable_name\tepoch\tstarts_at\tfirst_landing_batch\tresets_table"
)
CURRENT_ROWS = (
    "select table_name, row_key, `row`, is_deleted from {cdc}.cdc_current_rows order by 1, 2"
)
VERSIONS = (
    "select table_name, row_key, version_number, `row`, valid_from_position, valid_to_position"
    " from {cdc}.cdc_row_versions order by 1, 2, 3"
)


def change(table: str, position: str, after: dict[str, Any], key: list[str] | None) -> Message:
    return Message(
        json.dumps(
            {
                "id": f"{table}-{position}",
                "table": table,
                "operation": "update",
                "key": key,
                "after": after,
                "after_image": "full",
                "position": position,
                "committed_at": f"2026-01-01T00:00:{int(position):02d}Z",
            }
        )
    )


def configure(project: DbtProject, tables: list[str], epochs: list[str] | None = None) -> None:
    seeds = project.folder / "seeds" / "config"
    (seeds / "cdc_tables.csv").write_text("\n".join([TABLES, *tables]) + "\n")
    (seeds / "cdc_epochs.csv").write_text("\n".join([EPOCHS, *(epochs or [])]) + "\n")
    project.dbt("seed", "--full-refresh")


VISITS = 'acme\tshop\t*\tvisits\t["page"]\t\t\t'
SEEN_OPENS_NO_VERSION = 'acme\tshop\t*\tpeople\t\t["seen"]\t\t'
CLICKS = 'acme\tshop\t*\tclicks\t["page"]\t\t\t'
TAPS = 'acme\tshop\t*\ttaps\t["page"]\t\t\t'
KEY_IS_OLD_ROW = "acme\tshop\t*\tpeople\t\t\tdefault\t"
MAIL_IS_KEY = 'acme\tshop\t*\tpeople\t["mail"]\t\t\t'


@dataclass
class Seen:
    """What a step of the scenario left behind, and what dbt said where it refused."""

    rows: list[tuple[Any, ...]]
    versions: list[tuple[Any, ...]]
    pending: list[tuple[Any, ...]]
    refusal: str | None = None

    def versions_of(self, table: str) -> list[tuple[Any, ...]]:
        """Number, row and positions of the versions of a table."""
        return [row[2:] for row in self.versions if row[0] == table]


@dataclass
class Scenario:
    """One project through its life; each step is looked at when it is done."""

    project: DbtProject
    seen: dict[str, Seen] = field(default_factory=dict)
    oldest_batch: int = 0
    rebuilt_health: list[tuple[Any, ...]] = field(default_factory=list)
    session_zone: str = ""
    codes_of_two_runs: list[int | None] = field(default_factory=list)
    texts_of_two_runs: list[str] = field(default_factory=list)

    def look(self, step: str, refusal: str | None = None) -> None:
        """Keep what there is now."""
        query = self.project.query
        pending = query("select table_name, reason from {cdc}.cdc_pending_messages")
        self.seen[step] = Seen(query(CURRENT_ROWS), query(VERSIONS), pending, refusal)

    def run(self, step: str, *arguments: str, **variables: Any) -> None:
        """Run dbt and look."""
        self.project.dbt("run", *arguments, **variables)
        self.look(step)

    def run_refused(
        self, step: str, *arguments: str, command: str = "run", **variables: Any
    ) -> None:
        """Run dbt, which has to refuse, and look."""
        with pytest.raises(DbtError) as refused:
            self.project.dbt(command, *arguments, **variables)
        self.look(step, str(refused.value))

    def land(self, position: str, number: int, mail: str) -> None:
        """One more row of `people`."""
        row = {"id": number, "mail": mail, "seen": 1}
        self.project.land("acme", "shop", [change("people", position, row, ["id"])])


def _dbt_process(project: DbtProject, target: str) -> subprocess.Popen[str]:
    """Start `dbt run` as a process; each with a target folder of its own."""
    arguments = project.dbt_arguments("run")
    arguments[arguments.index("--target-path") + 1] = str(project.folder / target)
    arguments.remove("--quiet")
    return subprocess.Popen(
        [str(Path(sys.executable).parent / "dbt"), *arguments],
        cwd=REPOSITORY,
        stdout=subprocess.PIPE,
        text=True,
    )


def _configure_later(scenario: Scenario) -> None:
    project = scenario.project
    configure(project, [VISITS])
    scenario.run("a key is configured")
    configure(project, [VISITS, SEEN_OPENS_NO_VERSION])
    scenario.run("a column opens no version")
    configure(project, [VISITS])
    scenario.run("the column opens versions again")
    configure(project, [VISITS], ["acme\tshop\t*\tpeople\t1\t2026-06-01 00:00:00\t\ttrue"])
    scenario.run("an epoch begins later")
    configure(project, [VISITS, MAIL_IS_KEY])
    scenario.run_refused("a key changes")
    configure(project, [VISITS, KEY_IS_OLD_ROW])
    scenario.run_refused("the replica identity changes")
    configure(project, [VISITS], ["acme\tshop\t*\tpeople\t1\t2026-01-01 00:00:15\t\ttrue"])
    scenario.run_refused("an epoch began in the past")


def _rebuild(scenario: Scenario) -> None:
    project = scenario.project
    configure(project, [VISITS, MAIL_IS_KEY])
    scenario.run("rebuilt", cdc_rebuild=True)
    scenario.rebuilt_health = project.query(
        "select sum(messages), sum(elements), sum(changes), sum(duplicates) from {cdc}.cdc_health"
    )
    scenario.run("run after the rebuild")
    scenario.land("30", 2, "b@x")
    project.query("set spark.sql.session.timeZone=Asia/Tokyo")
    scenario.run("one more row")
    scenario.session_zone = project.query("set spark.sql.session.timeZone")[0][1]
    scenario.oldest_batch = project.query("select min(landing_batch) from {raw}.acme")[0][0]
    _drop_raw_batch(project, scenario.oldest_batch)
    scenario.run_refused("raw messages are gone", cdc_rebuild=True)
    scenario.run("full refresh without them", "--full-refresh")
    note = "insert into {work}.cdc_watermarks select 'cdc_rebuild_%s', 9000000000000000, null, null"
    project.query(note % "begun")
    scenario.run_refused("a rebuild was killed")
    project.query(note % "done")


def _run_twice_at_once(scenario: Scenario) -> None:
    project = scenario.project
    scenario.land("40", 3, "c@x")
    runs = [_dbt_process(project, target) for target in ("target_first", "target_second")]
    scenario.texts_of_two_runs = [run.communicate()[0] for run in runs]
    scenario.codes_of_two_runs = sorted(run.returncode for run in runs)
    scenario.look("two runs at once")
    scenario.land("50", 4, "d@x")
    lock = f"set cdc.lock.{project.work_schema}="
    project.query(lock + "ended@9999999999")
    scenario.run_refused("another run ended meanwhile")
    project.query(lock + "a-run-that-was-killed@9999999999")
    scenario.run_refused("locked by a killed run")
    scenario.run_refused("configured amid a run", command="seed")
    project.dbt("run-operation", "cdc_unlock")
    scenario.run("unlocked")


def _die_amid_the_states(scenario: Scenario) -> None:
    project = scenario.project
    scenario.look("before the states are half made")
    project.query("truncate table {work}.cdc_row_states")
    project.query(
        "insert into {work}.cdc_watermarks select 'cdc_row_states_begun', number, null, number"
        " from (select max(run_number) + 1 as number from {work}.cdc_watermarks)"
    )
    scenario.run("after the states were half made")


def _run_selections(scenario: Scenario) -> None:
    models = "path:models/changelog/"
    scenario.run_refused(
        "a selection without its beginning", "--select", models + "cdc_changelog.sql"
    )
    scenario.run_refused("a selection without the staging", "--exclude", "path:models/staging")
    scenario.run_refused(
        "a selection without what waits", "--exclude", models + "cdc_pending_log.sql"
    )
    scenario.run_refused(
        "a rebuild of a part", "--select", f"+{models}cdc_changelog.sql", cdc_rebuild=True
    )


def _retry_what_failed(scenario: Scenario) -> None:
    project = scenario.project
    model = project.folder / "models" / "changelog" / "cdc_load_accounts.sql"
    right = model.read_text()
    project.land("acme", "shop", [change("guests", "59", {"id": 9}, ["id"])])
    model.write_text(right.replace("select * from counted", "select * from no_such_table"))
    scenario.run_refused("a model failed")
    model.write_text(right)
    scenario.run_refused("what failed was retried", command="retry")
    scenario.run("the whole project after a model failed")


def _be_told_of_an_empty_schema(scenario: Scenario) -> None:
    """What dbt-spark does with a listing amid which a table is dropped."""
    macro = scenario.project.folder / "macros" / "failing_listing.sql"
    macro.write_text(
        "{% macro spark__list_relations_without_caching(relation) %}"
        "{% if relation.schema == var('cdc_schema') %}"
        "{{ exceptions.raise_compiler_error('[TABLE_OR_VIEW_NOT_FOUND] dropped meanwhile') }}"
        "{% endif %}"
        "{{ return(run_query('show table extended in ' ~ relation ~ \" like '*'\")) }}"
        "{% endmacro %}"
    )
    scenario.run_refused("told of an empty schema")
    macro.unlink()


def _die_under_a_configuration_that_is_taken_back(scenario: Scenario) -> None:
    project = scenario.project
    project.land("acme", "shop", [change("clicks", "12", {"page": "start"}, None)])
    configure(project, [VISITS, MAIL_IS_KEY, CLICKS])
    project.dbt("run", "--select", "+path:models/changelog/cdc_changelog.sql")
    configure(project, [VISITS, MAIL_IS_KEY])
    scenario.run_refused("a key is taken back that a dead run has read under")
    configure(project, [VISITS, MAIL_IS_KEY, CLICKS])
    scenario.run("the key is put back")
    scenario.land("58", 5, "e@x")
    project.dbt("run", "--select", "+path:models/changelog/cdc_changelog.sql")
    configure(
        project,
        [VISITS, MAIL_IS_KEY, CLICKS],
        ["acme\tshop\t*\tpeople\t1\t2026-01-01 00:00:55\t\ttrue"],
    )
    scenario.run_refused("an epoch for what a dead run has read under none")
    configure(project, [VISITS, MAIL_IS_KEY, CLICKS])
    scenario.run("the epoch is taken back")


def _die_between_the_load_and_the_marts(scenario: Scenario) -> None:
    scenario.land("52", 6, "f@x")
    scenario.project.dbt("run", "--select", "+path:models/changelog/cdc_loads.sql")
    scenario.run("after the load was finished and the marts were not made")


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
    _drop_raw_batch(project, batch)
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
        [f"acme\tcopied\t*\t*\t1\t\t{next_batch}\ttrue"],
    )
    project.land("acme", "copied", [copied(1, "b")])
    scenario.run("it was copied again")


def _reject_a_message(scenario: Scenario) -> None:
    project = scenario.project
    test = ("--select", "no_message_is_rejected")
    project.land("acme", "shop", [Message("no JSON")])
    project.dbt("run")
    scenario.run_refused(
        "tested after a load that rejects", *test, command="test", cdc_fail_on_rejected="last_load"
    )
    scenario.land("57", 9, "i@x")
    project.dbt("run")
    project.dbt("test", *test, cdc_fail_on_rejected="last_load")
    scenario.run_refused(
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
    scenario.run_refused("landed into a batch that was read", *test, command="test")


def _drop_raw_batch(project: DbtProject, batch: int) -> None:
    project.query(
        f"alter table {{raw}}.acme drop partition (landing_batch = {batch})"
        if project.server.table_format == "parquet"
        else f"delete from {{raw}}.acme where landing_batch = {batch}"
    )


@pytest.fixture(scope="module")
def scenario(make_project: Callable[..., DbtProject]) -> Scenario:
    """Table `people` with its key in the messages, table `visits` whose key nobody knows at first."""
    project = make_project("cdc_configured", SIXTH_VENDOR, rooms=("acme",))
    scenario = Scenario(project)
    configure(project, [])
    scenario.run("nothing has landed")
    project.land(
        "acme",
        "shop",
        [
            change("people", "10", {"id": 1, "mail": "a@x", "seen": 1}, ["id"]),
            change("people", "20", {"id": 1, "mail": "a@x", "seen": 2}, ["id"]),
            change("visits", "11", {"page": "start", "count": 1}, None),
        ],
    )
    scenario.run("built")
    _configure_later(scenario)
    _rebuild(scenario)
    _run_twice_at_once(scenario)
    _die_under_a_configuration_that_is_taken_back(scenario)
    _die_amid_the_states(scenario)
    _run_selections(scenario)
    _be_told_of_an_empty_schema(scenario)
    _die_between_the_load_and_the_marts(scenario)
    _outlive_a_lock(scenario)
    _wait_longer_than_raw_messages(scenario)
    _begin_an_epoch_by_landing_batch(scenario)
    _retry_what_failed(scenario)
    _reject_a_message(scenario)
    _land_into_a_batch_that_was_read(scenario)
    return scenario


def test_a_run_before_anything_has_landed_leaves_empty_tables(scenario: Scenario) -> None:
    assert scenario.seen["nothing has landed"] == Seen([], [], [])


def test_a_table_without_a_key_waits(scenario: Scenario) -> None:
    assert scenario.seen["built"].pending == [("visits", "NO_KEY")]


def test_a_key_that_is_configured_later_releases_what_waited(scenario: Scenario) -> None:
    seen = scenario.seen["a key is configured"]
    assert seen.pending == []
    assert ("visits", '["start"]', '{"page":"start","count":1}', False) in seen.rows


def test_columns_that_open_no_version_may_change_at_any_time(scenario: Scenario) -> None:
    two_versions = [
        (1, '{"id":1,"mail":"a@x","seen":1}', "10", "20"),
        (2, '{"id":1,"mail":"a@x","seen":2}', "20", None),
    ]
    assert scenario.seen["built"].versions_of("people") == two_versions
    assert scenario.seen["a column opens no version"].versions_of("people") == [
        (1, '{"id":1,"mail":"a@x","seen":2}', "10", None)
    ]
    assert scenario.seen["the column opens versions again"].versions_of("people") == two_versions


def test_an_epoch_that_begins_later_does_not_stop_the_run(scenario: Scenario) -> None:
    before = scenario.seen["the column opens versions again"]
    assert scenario.seen["an epoch begins later"] == before


@pytest.mark.parametrize(
    ("step", "says"),
    [
        ("a key changes", r"people.*make rebuild"),
        ("the replica identity changes", r"people.*make rebuild"),
        ("an epoch began in the past", r"cdc_epochs.*make rebuild"),
    ],
)
def test_configuration_that_contradicts_known_rows_stops_the_run_and_names_the_command(
    scenario: Scenario, step: str, says: str
) -> None:
    seen = scenario.seen[step]
    assert re.search(says, seen.refusal or "")
    assert seen.rows == scenario.seen["an epoch begins later"].rows
    assert seen.versions == scenario.seen["an epoch begins later"].versions


def test_a_rebuild_reads_everything_again_under_the_new_key(scenario: Scenario) -> None:
    assert scenario.seen["rebuilt"].rows == [
        ("people", '["a@x"]', '{"id":1,"mail":"a@x","seen":2}', False),
        ("visits", '["start"]', '{"page":"start","count":1}', False),
    ]
    assert scenario.rebuilt_health == [(3, 3, 3, 0)]
    assert scenario.seen["run after the rebuild"] == scenario.seen["rebuilt"]


def test_a_rebuild_stops_where_raw_messages_are_gone_and_names_the_batch(
    scenario: Scenario,
) -> None:
    before = scenario.seen["one more row"]
    refused = scenario.seen["raw messages are gone"]
    assert re.search(rf"acme: {scenario.oldest_batch}\b", refused.refusal or "")
    assert (refused.rows, refused.versions) == (before.rows, before.versions)


def test_a_full_refresh_makes_the_marts_from_the_log_where_raw_messages_are_gone(
    scenario: Scenario,
) -> None:
    assert scenario.seen["full refresh without them"] == scenario.seen["one more row"]


def test_a_rebuild_that_was_killed_lets_no_other_run_go_on(scenario: Scenario) -> None:
    refusal = scenario.seen["a rebuild was killed"].refusal or ""
    assert "rebuild was begun and did not come to its end" in refusal


def test_what_a_dead_run_read_under_another_key_is_not_mixed_with_what_comes_after(
    scenario: Scenario,
) -> None:
    refused = scenario.seen["a key is taken back that a dead run has read under"]
    assert "make rebuild" in (refused.refusal or "")
    assert "clicks" in (refused.refusal or "")
    put_back = scenario.seen["the key is put back"]
    assert [row[1] for row in put_back.rows if row[0] == "clicks"] == ['["start"]']
    refused = scenario.seen["an epoch for what a dead run has read under none"]
    assert "make rebuild" in (refused.refusal or "")
    people = [row[1] for row in scenario.seen["the epoch is taken back"].rows if row[0] == "people"]
    assert people.count('["e@x"]') == 1


def test_states_that_a_dead_run_left_half_made_are_made_again(scenario: Scenario) -> None:
    before = scenario.seen["before the states are half made"]
    after = scenario.seen["after the states were half made"]
    assert (after.rows, after.versions) == (before.rows, before.versions)


def test_a_run_that_dies_between_the_load_and_the_marts_is_made_good_by_the_next(
    scenario: Scenario,
) -> None:
    seen = scenario.seen["after the load was finished and the marts were not made"]
    assert [row[1] for row in seen.rows].count('["f@x"]') == 1


def test_a_lock_that_nobody_renewed_for_half_an_hour_holds_up_no_run(scenario: Scenario) -> None:
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


@pytest.mark.parametrize(
    ("step", "left_out"),
    [
        ("a selection without its beginning", "cdc_run_batches"),
        ("a selection without the staging", "stg_acme__changes"),
        ("a selection without what waits", "cdc_pending_log"),
    ],
)
def test_a_selection_that_leaves_out_what_its_models_stand_on_is_refused(
    scenario: Scenario, step: str, left_out: str
) -> None:
    seen = scenario.seen[step]
    assert re.search(rf"selected without .*{left_out}", seen.refusal or "")
    assert seen.rows == scenario.seen["after the states were half made"].rows


def test_a_rebuild_of_a_part_is_refused_and_holds_up_no_other_run(scenario: Scenario) -> None:
    assert "selected without" in (scenario.seen["a rebuild of a part"].refusal or "")
    assert scenario.seen["the whole project after a model failed"].refusal is None


def test_a_setting_that_another_client_has_left_in_the_session_does_not_count_for_a_run(
    scenario: Scenario,
) -> None:
    assert scenario.session_zone == "UTC"


@pytest.mark.parametrize(
    "step", ["tested after a load that rejects", "tested for all that was rejected"]
)
def test_a_rejected_message_fails_a_build_that_wants_none(scenario: Scenario, step: str) -> None:
    assert "no_message_is_rejected" in str(scenario.seen[step].refusal)


def test_a_message_that_lands_into_a_batch_that_was_read_is_noticed_where_other_batches_are_gone(
    scenario: Scenario,
) -> None:
    refusal = str(scenario.seen["landed into a batch that was read"].refusal)
    assert "accounts_for_every_message" in refusal


def test_a_retry_of_what_failed_is_refused_and_a_whole_run_goes_on(scenario: Scenario) -> None:
    assert "no_such_table" in (scenario.seen["a model failed"].refusal or "")
    refusal = scenario.seen["what failed was retried"].refusal or ""
    assert re.search(r"cdc_load_accounts was selected without .*cdc_run_elements", refusal)
    found = scenario.seen["the whole project after a model failed"].rows
    assert ("guests", '["9"]', '{"id":9}', False) in found
    changes = "select count(*), count(distinct change_id) from {cdc}.cdc_changelog"
    assert len(set(scenario.project.query(changes)[0])) == 1


def test_a_schema_that_dbt_takes_for_empty_is_not_made_anew(scenario: Scenario) -> None:
    seen = scenario.seen["told of an empty schema"]
    assert "cdc_changelog exists" in (seen.refusal or "")
    assert seen.rows == scenario.seen["after the states were half made"].rows


def test_of_two_runs_at_once_one_goes_on_and_the_other_says_why_not(scenario: Scenario) -> None:
    assert scenario.codes_of_two_runs == [0, 1], "\n".join(scenario.texts_of_two_runs)
    assert any("is writing to schema" in text for text in scenario.texts_of_two_runs)
    seen = scenario.seen["two runs at once"]
    assert [row for row in seen.rows if row[1] == '["c@x"]'] == [
        ("people", '["c@x"]', '{"id":3,"mail":"c@x","seen":1}', False)
    ]
    changes = scenario.project.query(
        "select count(*), count(distinct change_id) from {cdc}.cdc_changelog where table_name = 'people'"
    )
    assert changes == [(10, 10)]


def test_a_run_that_began_before_another_ended_is_told_to_begin_again(scenario: Scenario) -> None:
    assert "ended after this one had begun" in (
        scenario.seen["another run ended meanwhile"].refusal or ""
    )


def test_the_configuration_is_not_written_amid_a_run(scenario: Scenario) -> None:
    assert "is writing to schema" in (scenario.seen["configured amid a run"].refusal or "")


def test_the_lock_of_a_run_that_was_killed_is_taken_away_by_an_operation(
    scenario: Scenario,
) -> None:
    refusal = scenario.seen["locked by a killed run"].refusal or ""
    assert re.search(r"a-run-that-was-killed.*cdc_unlock", refusal)
    new_row = ("people", '["d@x"]', '{"id":4,"mail":"d@x","seen":1}', False)
    assert new_row in scenario.seen["unlocked"].rows


def test_files_of_a_vendor_that_are_new_to_an_earlier_parse_are_told(
    make_project: Callable[..., DbtProject],
) -> None:
    project = make_project("cdc_vendor_added", rooms=("sequin",))
    project.dbt("parse")
    lay_over(project.folder, SIXTH_VENDOR)
    with pytest.raises(DbtError, match=r"vendor acme are new.*--no-partial-parse"):
        project.dbt("seed")
    project.dbt("seed", "--no-partial-parse")
    assert project.query("select count(*) from {raw}.acme") == [(0,)]

"""Configuration that changes later, rebuilds, and one run at a time."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from cdc_changelog.config import REPOSITORY
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.dbt_project import DbtError, DbtProject, lay_over
from tests.python.helpers.scenario import (
    EPOCHS,
    MAIL_IS_KEY,
    PEOPLE_AND_A_VISIT,
    SEEN_OPENS_NO_VERSION,
    TABLES,
    VISITS,
    VISITS_HAVE_KEY_IMAGES,
    Scenario,
    StepResult,
    configure,
    drop_raw_batch,
)

pytestmark = pytest.mark.server

# The row that lands after the first rebuild.
NEW_ROW = ("people", '["2"]', '{"id":2,"mail":"b@x","seen":1}', False)


@dataclass
class Configured(Scenario):
    """What this scenario keeps besides."""

    oldest_batch: int = 0
    rebuilt_health: list[tuple[Any, ...]] = field(default_factory=list)
    session_zone: str = ""
    codes_of_two_runs: list[int | None] = field(default_factory=list)
    texts_of_two_runs: list[str] = field(default_factory=list)


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


def _configure_later(scenario: Configured) -> None:
    project = scenario.project
    configure(project, [VISITS, SEEN_OPENS_NO_VERSION])
    scenario.run("a key is configured, and a column opens no version")
    configure(project, [VISITS], ["acme ,shop,, people,1,2026-06-01 00:00:00,,true"])
    scenario.run("the column opens versions again, and an epoch begins later")
    configure(
        project,
        [MAIL_IS_KEY, VISITS_HAVE_KEY_IMAGES],
        ["acme,shop,*,people,1,2026-01-01 00:00:15,,true"],
    )
    scenario.run_that_fails("a key, a replica identity and an epoch contradict what is stored")


def _rebuild(scenario: Configured) -> None:
    project = scenario.project
    configure(project, [VISITS, MAIL_IS_KEY])
    scenario.run("rebuilt", cdc_rebuild=True)
    scenario.rebuilt_health = project.query(
        "select sum(messages), sum(events), sum(changes), sum(duplicates) from {cdc}.cdc_health"
    )
    _rebuild_in_part(scenario)
    scenario.oldest_batch = project.query("select min(landing_batch) from {raw}.acme")[0][0]
    drop_raw_batch(project, scenario.oldest_batch)
    scenario.run_that_fails("raw messages are gone", cdc_rebuild=True)


def _rebuild_in_part(scenario: Configured) -> None:
    """The key is put back by a rebuild that stops behind the event store, then a plain run."""
    project = scenario.project
    configure(project, [VISITS])
    scenario.land("30", 2, "b@x")
    project.dbt("run", "--select", "+int_events", cdc_rebuild=True)
    project.query("set spark.sql.session.timeZone=Asia/Tokyo")
    scenario.run("a run after a rebuild that stopped")
    scenario.session_zone = project.query("set spark.sql.session.timeZone")[0][1]


def _meet_a_listing_that_failed(scenario: Configured) -> None:
    """What dbt-spark does with a listing amid which a table is dropped."""
    macro = scenario.project.folder / "macros" / "failing_listing.sql"
    macro.write_text(
        "{% macro spark__list_relations_without_caching(relation) %}"
        "{% if relation.schema == var('cdc_work_schema') %}"
        "{{ exceptions.raise_compiler_error('[TABLE_OR_VIEW_NOT_FOUND] dropped meanwhile') }}"
        "{% endif %}"
        "{{ return(run_query('show table extended in ' ~ relation ~ \" like '*'\")) }}"
        "{% endmacro %}"
    )
    scenario.run_that_fails("asked for an empty schema")
    macro.unlink()


def _run_twice_at_once(scenario: Configured) -> None:
    project = scenario.project
    runs = [_dbt_process(project, target) for target in ("target_first", "target_second")]
    scenario.texts_of_two_runs = [run.communicate()[0] for run in runs]
    scenario.codes_of_two_runs = sorted(run.returncode for run in runs)
    scenario.look("two runs at once")


def _find_the_lock_held(scenario: Configured) -> None:
    project = scenario.project
    scenario.land("40", 3, "c@x")
    lock = f"set cdc.lock.{project.work_schema}="
    project.query(lock + "ended@9999999999")
    scenario.run_that_fails("another run ended meanwhile")
    project.query(lock + "a-run-that-was-killed@9999999999")
    scenario.run_that_fails("locked by a killed run")
    scenario.run_that_fails("configured amid a run", command="seed")
    project.dbt("run-operation", "cdc_unlock")


@pytest.fixture(scope="module")
def scenario(make_project: Callable[..., DbtProject]) -> Configured:
    """Table `people` with its key in the messages, table `visits` whose key nobody knows at first."""
    project = make_project("cdc_configured", SIXTH_VENDOR, vendors=("acme",))
    scenario = Configured(project)
    configure(project, [])
    scenario.run("nothing has landed")
    project.land("acme", "shop", PEOPLE_AND_A_VISIT)
    scenario.run("built")
    _configure_later(scenario)
    _rebuild(scenario)
    _meet_a_listing_that_failed(scenario)
    _find_the_lock_held(scenario)
    _run_twice_at_once(scenario)
    return scenario


def test_a_run_before_anything_has_landed_leaves_empty_tables(scenario: Configured) -> None:
    assert scenario.seen["nothing has landed"] == StepResult([], [], [])


def test_a_table_without_a_key_waits(scenario: Configured) -> None:
    assert scenario.seen["built"].pending == [("visits", "NO_KEY")]


def test_a_key_that_is_configured_later_releases_what_waited(scenario: Configured) -> None:
    seen = scenario.seen["a key is configured, and a column opens no version"]
    assert seen.pending == []
    assert ("visits", '["start"]', '{"page":"start","count":1}', False) in seen.rows


def test_columns_that_open_no_version_may_change_at_any_time(scenario: Configured) -> None:
    two_versions = [
        (1, '{"id":1,"mail":"a@x","seen":1}', "10", "20"),
        (2, '{"id":1,"mail":"a@x","seen":2}', "20", None),
    ]
    assert scenario.seen["built"].versions_of("people") == two_versions
    without = scenario.seen["a key is configured, and a column opens no version"]
    assert without.versions_of("people") == [(1, '{"id":1,"mail":"a@x","seen":2}', "10", None)]
    again = scenario.seen["the column opens versions again, and an epoch begins later"]
    assert again.versions_of("people") == two_versions


def test_an_epoch_that_begins_later_does_not_stop_the_run(scenario: Configured) -> None:
    before = scenario.seen["a key is configured, and a column opens no version"]
    seen = scenario.seen["the column opens versions again, and an epoch begins later"]
    assert (seen.error, seen.rows, seen.pending) == (None, before.rows, before.pending)
    assert seen.versions_of("visits") == before.versions_of("visits")
    assert seen.versions_of("people") == scenario.seen["built"].versions_of("people")


def test_configuration_that_contradicts_known_rows_stops_the_run_and_names_all_of_it(
    scenario: Configured,
) -> None:
    before = scenario.seen["the column opens versions again, and an epoch begins later"]
    seen = scenario.seen["a key, a replica identity and an epoch contradict what is stored"]
    for says in (
        '"people","key_columns":"[^,]*mail',
        '"visits".*"replica_identity":"default"',
        '"cdc_epochs".*"people".*"starts_at":"2026-01-01T00:00:15',
        "cdc rebuild",
    ):
        assert re.search(says, seen.error or "")
    assert (seen.rows, seen.versions) == (before.rows, before.versions)


def test_a_rebuild_reads_everything_again_under_the_new_key(scenario: Configured) -> None:
    assert scenario.seen["rebuilt"].rows == [
        ("people", '["a@x"]', '{"id":1,"mail":"a@x","seen":2}', False),
        ("visits", '["start"]', '{"page":"start","count":1}', False),
    ]
    assert scenario.rebuilt_health == [(3, 3, 3, 0)]


def test_a_rebuild_stops_where_raw_messages_are_gone_and_names_the_batch(
    scenario: Configured,
) -> None:
    before = scenario.seen["a run after a rebuild that stopped"]
    failed = scenario.seen["raw messages are gone"]
    assert re.search(rf"acme: {scenario.oldest_batch}\b", failed.error or "")
    assert (failed.rows, failed.versions) == (before.rows, before.versions)


def test_a_rebuild_that_stops_behind_the_event_store_is_finished_by_the_next_run(
    scenario: Configured,
) -> None:
    stopped = scenario.seen["a run after a rebuild that stopped"]
    under_the_first_key = scenario.seen[
        "the column opens versions again, and an epoch begins later"
    ]
    assert stopped.rows == sorted([*under_the_first_key.rows, NEW_ROW])
    assert [version for version in stopped.versions if version[1] != '["2"]'] == (
        under_the_first_key.versions
    )


def test_a_setting_that_another_client_has_left_in_the_session_does_not_count_for_a_run(
    scenario: Configured,
) -> None:
    assert scenario.session_zone == "UTC"


def test_a_schema_that_dbt_takes_for_empty_is_not_created_again(scenario: Configured) -> None:
    seen = scenario.seen["asked for an empty schema"]
    assert "int_events exists" in (seen.error or "")
    assert seen.rows == scenario.seen["raw messages are gone"].rows


def test_of_two_runs_at_once_one_goes_on_and_the_other_says_why_not(scenario: Configured) -> None:
    first, second = scenario.codes_of_two_runs
    assert first == 0, "\n".join(scenario.texts_of_two_runs)
    assert second != 0, "\n".join(scenario.texts_of_two_runs)
    assert any("is writing to schema" in text for text in scenario.texts_of_two_runs)
    seen = scenario.seen["two runs at once"]
    assert [row for row in seen.rows if row[1] == '["3"]'] == [
        ("people", '["3"]', '{"id":3,"mail":"c@x","seen":1}', False)
    ]
    changes = scenario.project.query(
        "select count(*), count(distinct change_id) from {cdc}.cdc_changelog where table_name = 'people'"
    )
    assert len(set(changes[0])) == 1


def test_a_run_that_began_before_another_ended_has_to_begin_again(scenario: Configured) -> None:
    assert "ended after this one had begun" in (
        scenario.seen["another run ended meanwhile"].error or ""
    )


def test_the_configuration_is_not_written_amid_a_run(scenario: Configured) -> None:
    assert "is writing to schema" in (scenario.seen["configured amid a run"].error or "")


def test_the_lock_of_a_run_that_was_killed_is_taken_away_by_an_operation(
    scenario: Configured,
) -> None:
    error = scenario.seen["locked by a killed run"].error or ""
    assert re.search(r"a-run-that-was-killed.*cdc unlock", error)
    assert scenario.codes_of_two_runs[0] == 0


def test_lines_that_cannot_mean_what_they_say_are_rejected_with_file_and_line(
    scenario: Configured,
) -> None:
    folder = scenario.project.folder / "seeds" / "config"
    tables, epochs = folder / "cdc_tables.csv", folder / "cdc_epochs.csv"
    kept = tables.read_text()
    tables.write_bytes(
        "\ufeff".encode()
        + "\r\n".join(
            [
                TABLES,
                "acme,shop,*,people,mail,seen,full,",
                "amce,shop,*,people,mail,,,",
                'acme,shop,*,orders,"[""id""",,,',
                "acme,shop,*,lines,,,whole,",
                "acme,shop,,people,,,,",
                "acme,,*,things,,,,",
                "acme,shop,*,*,id,,,",
                "acme,shop,*,pairs,id;line,,,",
            ]
        ).encode()
    )
    with pytest.raises(DbtError) as failed:
        scenario.project.dbt("seed", "--select", "cdc_tables")
    for says in (
        "cdc_tables.csv has lines that cannot be right",
        "line 3: vendor is 'amce'; expected one of acme",
        "line 6: acme, shop, *, people is line 2 already; expected one line for each",
        "line 7: source is ''; expected the name of a feed, or *",
        "line 8: table_name is '*'; expected the name of a table",
        """line 4: key_columns is '["id"'; expected different column names""",
        "line 5: replica_identity is 'whole'; expected full, default or nothing",
        "line 9: key_columns is 'id;line'; expected different column names",
    ):
        assert says in str(failed.value)
    tables.write_text(kept.replace("key_columns", "keys", 1))
    epochs.write_text(
        f"{EPOCHS}\nacme,shop,*,people,one,soon,,perhaps\nacme,shop,*,people,,,,\n"
        "acme,shop,*,a,1,2024-99-99,,\nacme,shop,*,b,1,2023-02-29 12:00:00,,\n"
        "acme,shop,*,c,1,2024-02-29 or so,,\nacme,shop,*,d,1,,9999999999999999999,\n"
        "acme,shop,*,e,1,2024-02-29T12:00:00.5+01:00,999999999999999999,\n"
    )
    with pytest.raises(DbtError) as failed:
        scenario.project.dbt("seed", "--select", "cdc_tables", "cdc_epochs")
    for says in (
        "the columns are vendor, source, schema_name, table_name, keys",
        "line 2: epoch is 'one'; expected a whole number",
        "line 4: starts_at is '2024-99-99'; expected a time like",
        "line 5: starts_at is '2023-02-29 12:00:00'; expected a time like",
        "line 6: starts_at is '2024-02-29 or so'; expected a time like",
        "line 7: first_landing_batch is '9999999999999999999'; expected a whole number of at most 18",
        "line 2: starts_at is 'soon'",
        "line 2: resets_table is 'perhaps'",
        "line 3: epoch is ''; expected a whole number",
        "line 3: it never begins; expected starts_at, first_landing_batch or both",
    ):
        assert says in str(failed.value)
    assert "line 8:" not in str(failed.value)
    tables.write_text(kept)
    epochs.write_text(f"{EPOCHS}\n")


@pytest.mark.parametrize(
    ("variables", "says"),
    [
        ({"cdc_visibility": "whole"}, "cdc_visibility is 'whole'; expected all or transaction"),
        (
            {"cdc_visibility": "transaction", "cdc_visibility_lifted_for": "shop"},
            "is 'shop'; expected a list, like ['shop']",
        ),
        ({"cdc_raw_tables": {"amce": "lake.orders"}}, "names amce, which is no vendor"),
        ({"cdc_raw_tables": {"acme": "orders"}}, "names 'orders' for acme; expected"),
        ({"cdc_typed_tables": ["orders"]}, "expected models and their tables"),
        (
            {"cdc_typed_tables": {"cdc_changelog": "public.t", "int_events": "t"}},
            "names public.t and t; expected one of them",
        ),
        ({"cdc_raw_tables": {"acme": "a.b.c.d"}}, "names 'a.b.c.d' for acme; expected"),
    ],
)
def test_variables_that_cannot_mean_what_they_say_are_rejected(
    scenario: Configured, variables: dict[str, Any], says: str
) -> None:
    with pytest.raises(DbtError, match=re.escape(says)):
        scenario.project.dbt("parse", **variables)


def test_raw_messages_may_lie_in_another_catalog(scenario: Configured) -> None:
    catalog = "ice" if scenario.project.server.table_format == "iceberg" else "spark_catalog"
    named = f"{catalog}.{scenario.project.raw_schema}.acme"
    scenario.project.dbt("run", "--select", "stg_acme__events", cdc_raw_tables={"acme": named})
    [compiled] = (scenario.project.folder / "target" / "compiled").rglob("stg_acme__events.sql")
    assert f"from {named}" in compiled.read_text()
    assert scenario.project.query("select count(*) from {work}.stg_acme__events")[0][0] >= 0


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ("message_id as mesage_id", "gives the unknown columns mesage_id; expected some of"),
        (
            "message_id as changed_columns",
            "gives changed_columns as string; expected array<string>",
        ),
    ],
)
def test_a_vendor_that_gives_an_unknown_column_or_another_type_is_rejected(
    scenario: Configured, column: str, says: str
) -> None:
    model = scenario.project.folder / "models" / "staging" / "acme" / "stg_acme__changes.sql"
    kept = model.read_text()
    model.write_text(kept.replace("    message_id,\n", f"    {column},\n", 1))
    try:
        with pytest.raises(DbtError, match=re.escape(says)):
            scenario.project.dbt("run", "--select", "stg_acme__changes", "int_new_events")
    finally:
        model.write_text(kept)


def test_files_of_a_vendor_that_are_new_to_an_earlier_parse_are_reported(
    make_project: Callable[..., DbtProject],
) -> None:
    project = make_project("cdc_vendor_added", vendors=("sequin",))
    project.dbt("parse")
    lay_over(project.folder, SIXTH_VENDOR)
    with pytest.raises(DbtError, match=r"vendor acme are new.*--no-partial-parse"):
        project.dbt("seed")
    project.dbt("seed", "--no-partial-parse")
    assert project.query("select count(*) from {raw}.acme") == [(0,)]


def test_status_lists_the_lines_that_match_no_message(scenario: Configured) -> None:
    project = scenario.project
    lines = [" acme, shop ,, people", "acme,shop,elsewhere,people", "acme,shop,*,peoples"]
    configure(project, [f"{line},,seen,," for line in lines])
    done = project.tool("cdc_changelog", "status", "--work-schema", project.work_schema)
    configure(project, [VISITS])
    assert done.returncode == 0, done.stdout + done.stderr
    listed = done.stdout.split("Lines of cdc_tables that match no message")[1]
    unmatched = [
        line for line in listed.split("Tables that wait")[0].splitlines() if "acme" in line
    ]
    assert [line.split()[-2:] for line in unmatched] == [["*", "peoples"], ["elsewhere", "people"]]


# model: table, sources and column of a typed table, and what is said of it
NEVER_SEEN = {
    "typed_column": ("people", ["shop"], "male", "has male (nearest: mail, "),
    "typed_table": (
        "peoples", ["shop"], "mail", "no row of table peoples came from shop (nearest: shop.people"
    ),
    "typed_source": (
        "people", ["shoop", "web"], "mail", "no row of table people came from shoop, web"
    ),
    "typed_quotes": (
        "the shop's", ["o'hara"], "it's", "no row of table the shop's came from o'hara (nearest: "
    ),
}  # fmt: skip


def test_a_typed_table_of_what_was_never_seen_is_rejected_with_the_nearest_names(
    scenario: Configured,
) -> None:
    folder = scenario.project.folder / "models"

    def write(option: str) -> None:
        for name, (table, sources, column, _) in NEVER_SEEN.items():
            columns = [{"name": "id", "type": "int"}, {"name": column, "type": "string"}]
            call = f"table_name={table!r}, sources={sources}, columns={columns}{option}"
            (folder / f"{name}.sql").write_text(f"{{{{ cdc_typed_table({call}) }}}}")

    try:
        write("")
        with pytest.raises(DbtError) as failed:
            scenario.project.dbt("run", "--select", *NEVER_SEEN)
        for *_, says in NEVER_SEEN.values():
            assert says in str(failed.value)
        write(", allow_unseen=true")
        scenario.project.dbt("run", "--select", *NEVER_SEEN)
        males = scenario.project.query("select male from {cdc}.typed_column")
        assert males == [(None,)] * len(males) != []
        for name in ("typed_table", "typed_source", "typed_quotes"):
            assert scenario.project.query(f"select id from {{cdc}}.{name}") == []
    finally:
        for name in NEVER_SEEN:
            (folder / f"{name}.sql").unlink()

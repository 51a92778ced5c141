"""Configuration that changes later, rebuilds, and one run at a time."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.config import REPOSITORY
from landing.bodies import Message
from tests.python.conftest import SIXTH_VENDOR
from tests.python.dbt_project import DbtError, DbtProject, keep_rooms

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


@pytest.fixture(scope="module")
def built(make_project: Callable[..., DbtProject]) -> DbtProject:
    """Table `people` with its key in the messages, table `visits` whose key nobody knows."""
    project = make_project("cdc_configured", SIXTH_VENDOR)
    keep_rooms(project.folder, "acme")
    configure(project, [])
    project.land(
        "acme",
        "shop",
        [
            change("people", "10", {"id": 1, "mail": "a@x", "seen": 1}, ["id"]),
            change("people", "20", {"id": 1, "mail": "a@x", "seen": 2}, ["id"]),
            change("visits", "11", {"page": "start", "count": 1}, None),
        ],
    )
    project.dbt("run")
    return project


def test_a_table_without_a_key_waits(built: DbtProject) -> None:
    assert built.query("select table_name, reason from {cdc}.cdc_pending_messages") == [
        ("visits", "NO_KEY")
    ]


def test_a_key_that_is_configured_later_releases_what_waited(built: DbtProject) -> None:
    configure(built, ['acme\tshop\t*\tvisits\t["page"]\t\t\t'])
    built.dbt("run")
    assert built.query("select * from {cdc}.cdc_pending_messages") == []
    assert ("visits", '["start"]', '{"page":"start","count":1}', False) in built.query(CURRENT_ROWS)


def test_columns_that_open_no_version_may_change_at_any_time(built: DbtProject) -> None:
    configure(
        built,
        [
            'acme\tshop\t*\tvisits\t["page"]\t\t\t',
            'acme\tshop\t*\tpeople\t\t["seen"]\t\t',
        ],
    )
    built.dbt("run")
    people = [row[2:] for row in built.query(VERSIONS) if row[0] == "people"]
    assert people == [(1, '{"id":1,"mail":"a@x","seen":2}', "10", None)]
    configure(built, ['acme\tshop\t*\tvisits\t["page"]\t\t\t'])
    built.dbt("run")
    people = [row[2:] for row in built.query(VERSIONS) if row[0] == "people"]
    assert people == [
        (1, '{"id":1,"mail":"a@x","seen":1}', "10", "20"),
        (2, '{"id":1,"mail":"a@x","seen":2}', "20", None),
    ]


def test_an_epoch_that_begins_later_does_not_stop_the_run(built: DbtProject) -> None:
    configure(
        built,
        ['acme\tshop\t*\tvisits\t["page"]\t\t\t'],
        ["acme\tshop\t*\tpeople\t1\t2026-06-01 00:00:00\t\ttrue"],
    )
    built.dbt("run")


def test_a_key_that_changes_under_known_rows_stops_the_run_and_names_the_command(
    built: DbtProject,
) -> None:
    before = built.query(CURRENT_ROWS)
    configure(
        built,
        ['acme\tshop\t*\tvisits\t["page"]\t\t\t', 'acme\tshop\t*\tpeople\t["mail"]\t\t\t'],
    )
    with pytest.raises(DbtError, match=r"people.*make rebuild"):
        built.dbt("run")
    assert built.query(CURRENT_ROWS) == before


def test_an_epoch_that_begins_in_the_past_stops_the_run(built: DbtProject) -> None:
    configure(
        built,
        ['acme\tshop\t*\tvisits\t["page"]\t\t\t'],
        ["acme\tshop\t*\tpeople\t1\t2026-01-01 00:00:15\t\ttrue"],
    )
    with pytest.raises(DbtError, match=r"cdc_epochs.*make rebuild"):
        built.dbt("run")


def test_a_rebuild_reads_everything_again_under_the_new_key(built: DbtProject) -> None:
    configure(
        built,
        ['acme\tshop\t*\tvisits\t["page"]\t\t\t', 'acme\tshop\t*\tpeople\t["mail"]\t\t\t'],
    )
    built.dbt("run", cdc_rebuild=True)
    assert built.query(CURRENT_ROWS) == [
        ("people", '["a@x"]', '{"id":1,"mail":"a@x","seen":2}', False),
        ("visits", '["start"]', '{"page":"start","count":1}', False),
    ]
    health = built.query(
        "select sum(messages), sum(elements), sum(changes), sum(duplicates) from {cdc}.cdc_health"
    )
    assert health == [(3, 3, 3, 0)]
    built.dbt("run")
    assert len(built.query(CURRENT_ROWS)) == 2


def test_a_rebuild_stops_where_raw_messages_are_gone_and_names_the_batch(built: DbtProject) -> None:
    built.land(
        "acme", "shop", [change("people", "30", {"id": 2, "mail": "b@x", "seen": 1}, ["id"])]
    )
    built.dbt("run")
    before = built.query(CURRENT_ROWS)
    oldest = built.query("select min(landing_batch) from {raw}.acme")[0][0]
    built.query(
        f"alter table {{raw}}.acme drop partition (landing_batch = {oldest})"
        if built.server.table_format == "parquet"
        else f"delete from {{raw}}.acme where landing_batch = {oldest}"
    )
    with pytest.raises(DbtError, match=rf"acme: {oldest}\b"):
        built.dbt("run", cdc_rebuild=True)
    assert built.query(CURRENT_ROWS) == before
    built.dbt("run", "--full-refresh")
    assert built.query(CURRENT_ROWS) == before


def test_a_rebuild_that_was_killed_lets_no_other_run_go_on(built: DbtProject) -> None:
    note = "insert into {work}.cdc_watermarks select 'cdc_rebuild_%s', 9000000000000000, null, null"
    built.query(note % "begun")
    with pytest.raises(DbtError, match="rebuild was begun and did not come to its end"):
        built.dbt("run")
    built.query(note % "done")
    built.dbt("run")


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


def test_of_two_runs_at_once_one_goes_on_and_the_other_says_why_not(built: DbtProject) -> None:
    built.land(
        "acme", "shop", [change("people", "40", {"id": 3, "mail": "c@x", "seen": 1}, ["id"])]
    )
    runs = [_dbt_process(built, target) for target in ("target_first", "target_second")]
    texts = [run.communicate()[0] for run in runs]
    codes = sorted(run.returncode for run in runs)
    assert codes == [0, 1], texts
    assert any("is writing to schema" in text for text in texts)
    changes = built.query(
        "select count(*), count(distinct change_id) from {cdc}.cdc_changelog where table_name = 'people'"
    )
    assert changes[0][0] == changes[0][1]
    # Whatever key is configured by now, the row is there once.
    rows = [row[2] for row in built.query(CURRENT_ROWS)]
    assert rows.count('{"id":3,"mail":"c@x","seen":1}') == 1


def test_the_lock_of_a_run_that_was_killed_is_taken_away_by_an_operation(built: DbtProject) -> None:
    built.land(
        "acme", "shop", [change("people", "50", {"id": 4, "mail": "d@x", "seen": 1}, ["id"])]
    )
    built.query(f"set cdc.lock.{built.work_schema}=a-run-that-was-killed@9999999999")
    with pytest.raises(DbtError, match=r"a-run-that-was-killed.*cdc_unlock"):
        built.dbt("run")
    built.dbt("run-operation", "cdc_unlock")
    built.dbt("run")
    assert ("people", '["d@x"]', '{"id":4,"mail":"d@x","seen":1}', False) in built.query(
        CURRENT_ROWS
    )

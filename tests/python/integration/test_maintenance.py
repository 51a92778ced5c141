"""`make maintain`: what it writes together and takes away, and what stays as it was."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtError, DbtProject
from tests.python.helpers.quick_proof import (
    CHANGELOG,
    CURRENT_ROWS,
    HEALTH,
    VERSIONS,
    land_together,
)

pytestmark = [pytest.mark.server, pytest.mark.slow]

MARTS = (CHANGELOG, CURRENT_ROWS, VERSIONS, HEALTH)
STORE, ROWS = "{work}.int_events", "{work}.int_row_versions"
# Nothing old is kept, so that a test need not wait for a week.
NO_RETENTION = {
    "delta": "'delta.deletedFileRetentionDuration' = 'interval 0 seconds'",
    "iceberg": "'history.expire.max-snapshot-age-ms' = '1'",
}


@dataclass
class Maintained:
    """A project, its marts before and after it was maintained, and the files of its tables."""

    project: DbtProject
    marts: list[list[Any]]
    files: dict[str, int]
    marts_after: list[list[Any]]
    files_after: dict[str, int]


def _delivered(message_id: str, point: int, value: int) -> tuple[str, str]:
    """A delivery of a change; of several that differ in position the least counts."""
    return json.dumps(full(point, v=value, message_id=message_id)), "shop"


def _files(project: DbtProject) -> dict[str, int]:
    counted = {
        "delta": "select count(distinct _metadata.file_path) from {table}",
        "iceberg": "select count(*) from {table}.files",
    }[project.server.table_format]
    return {
        table: project.query(counted.replace("{table}", table))[0][0] for table in (STORE, ROWS)
    }


@pytest.fixture(scope="module")
def maintained(make_project: Callable[..., DbtProject]) -> Maintained:
    project = make_project("cdc_maintained", SIXTH_VENDOR, vendors=("acme",))
    project.dbt("seed")
    for point in (10, 20, 30, 40):
        land_together(project, [_delivered(f"m{point}", point, point)])
        project.dbt("run")
    land_together(project, [_delivered("m20", 19, 20)])
    project.dbt("run")
    for table in (STORE, ROWS):
        retention = NO_RETENTION[project.server.table_format]
        project.query(f"alter table {table} set tblproperties ({retention})")
    marts, files = [project.query(mart) for mart in MARTS], _files(project)
    project.dbt("run-operation", "cdc_maintain")
    return Maintained(
        project, marts, files, [project.query(mart) for mart in MARTS], _files(project)
    )


def test_maintenance_changes_no_mart(maintained: Maintained) -> None:
    assert maintained.marts_after == maintained.marts


def test_maintenance_writes_small_files_together(maintained: Maintained) -> None:
    for table, count in maintained.files.items():
        assert maintained.files_after[table] < count


def test_a_replaced_event_keeps_no_content(maintained: Maintained) -> None:
    replaced = maintained.project.query(
        "select after, row_key, metadata from {work}.int_events where position = '0020'"
    )
    assert replaced == [(None, None, None)]


def test_a_second_maintenance_finds_nothing_to_do(maintained: Maintained) -> None:
    maintained.project.dbt("run-operation", "cdc_maintain")
    assert _files(maintained.project) == maintained.files_after


def test_maintenance_waits_for_a_run(maintained: Maintained) -> None:
    project = maintained.project
    lock = f"cdc.lock.{project.work_schema}"
    now = project.query("select unix_timestamp()")[0][0]
    project.query(f"set {lock}=another-run@{now}")
    with pytest.raises(DbtError):
        project.dbt("run-operation", "cdc_maintain")
    assert project.query(f"set {lock}")[0][1].startswith("another-run@")
    project.dbt("run-operation", "cdc_unlock")


def test_a_run_goes_on_after_maintenance(maintained: Maintained) -> None:
    project = maintained.project
    land_together(project, [_delivered("m20", 18, 20), _delivered("m50", 50, 50)])
    project.dbt("run")
    assert project.query("select count(*), sum(duplicates) from {cdc}.cdc_health") == [(1, 2)]
    assert project.query("select count(*), count(distinct change_id) from {cdc}.cdc_changelog") == [
        (5, 5)
    ]
    assert project.query("select `row` from {cdc}.cdc_current_rows") == [('{"id":"1","v":50}',)]

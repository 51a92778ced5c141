"""Column lists that arrive after the rows they belong to, and bodies that are hard to count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from engine.config import REPOSITORY, EngineConfig
from landing.bodies import Message
from tests.python.dbt_project import DbtProject
from tests.python.integration.proofs import quick_project_folder

ROOMS = REPOSITORY / "tests" / "python" / "vendors"
ODD_ROOMS = sorted(file.parent.name for file in ROOMS.glob("*/odd_bodies.json"))
TABLE_ID = 16384

pytestmark = pytest.mark.server


def _relation(lsn: str, table: str, *columns: str) -> dict[str, Any]:
    names = [{"name": name, "typ": "text", "primary": name == "id"} for name in columns]
    schema = {"id": TABLE_ID, "name": {"schema": "public", "name": table}, "column_schemas": names}
    return {"Relation": {"start_lsn": lsn, "commit_lsn": lsn, "table_schema": schema}}


def _transaction(lsn: str, tag: str, **fields: Any) -> list[dict[str, Any]]:
    place = {"start_lsn": lsn, "commit_lsn": lsn}
    return [
        {"Begin": {**place, "timestamp": 820454400000000, "xid": 7}},
        {tag: {**place, **fields}},
        {"Commit": {**place, "timestamp": 820454400000000, "flags": 0, "end_lsn": lsn}},
    ]


_INSERT_AT_10 = _transaction("0/10", "Insert", table_id=TABLE_ID, table_row=["1", "x"])
_INSERT_AT_20 = _transaction("0/20", "Insert", table_id=TABLE_ID, table_row=["1", "x"])
_TRUNCATE_AT_20 = _transaction("0/20", "Truncate", options=0, rel_ids=[TABLE_ID])


def _copied(number: int) -> dict[str, Any]:
    return {"type": "copy", "table_id": TABLE_ID, "table_row": [str(number), "x"]}


# source: what lands before each of the two runs
DELIVERIES = {
    "redelivered": (
        [_relation("0/1", "people", "id", "name"), *_INSERT_AT_20],
        [_relation("0/15", "people", "id", "title"), *_INSERT_AT_20],
    ),
    "renamed": (
        [_relation("0/1", "people", "id", "name"), *_INSERT_AT_10, *_TRUNCATE_AT_20],
        [_relation("0/15", "people_before", "id", "name")],
    ),
    "copied": (
        [_relation("0/1", "people", "id", "name"), _copied(1), _copied(2)],
        [_copied(2), _copied(3)],
    ),
}


@pytest.fixture(scope="module")
def project(server: EngineConfig, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DbtProject]:
    project = DbtProject(
        quick_project_folder(tmp_path_factory.mktemp("cdc_late"), *ODD_ROOMS), server, "cdc_late"
    )
    project.drop_schemas()
    project.dbt("seed")
    for room in ODD_ROOMS:
        bodies = json.loads((ROOMS / room / "odd_bodies.json").read_text())
        project.land(room, "odd", [Message(value=body) for body in bodies])
    for run in range(2):
        for source, runs in DELIVERIES.items():
            body = json.dumps(runs[run])
            project.land("supabase_etl", source, [Message(value=body)])
        project.dbt("run")
    yield project
    project.drop_schemas()


def _row(project: DbtProject, source: str) -> list[tuple[Any, ...]]:
    return project.query(
        "select table_name, `row`, is_deleted from {cdc}.cdc_current_rows"
        f" where source = '{source}' order by table_name, row_key"
    )


def test_a_column_list_that_arrives_with_the_row_again_is_not_lost(project: DbtProject) -> None:
    assert _row(project, "redelivered") == [("people", '{"id":"1","title":"x"}', False)]


def test_a_truncate_that_turns_out_to_be_of_another_table_spares_the_first(
    project: DbtProject,
) -> None:
    assert _row(project, "renamed") == [("people", '{"id":"1","name":"x"}', False)]


def test_bodies_with_blanks_marks_and_repeated_keys_are_counted_as_they_are_read(
    project: DbtProject,
) -> None:
    project.dbt("test", "--select", "accounts_for_every_message")


def test_rows_of_one_copy_are_different_changes_and_none_contradicts_another(
    project: DbtProject,
) -> None:
    assert project.query(
        "select row_key, array_join(warnings, ',') from {cdc}.cdc_changelog"
        " where source = 'copied' and operation = 'snapshot' order by row_key"
    ) == [('["1"]', ""), ('["2"]', ""), ('["3"]', "")]
    assert project.query(
        "select duplicates from {cdc}.cdc_health where source = 'copied' and table_name = 'people'"
    ) == [(1,)]

"""Table schemas that arrive after the rows they belong to, and bodies that are hard to count."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from cdc_changelog.config import REPOSITORY, ServerConfig
from cdc_changelog.landing.bodies import Message
from tests.python.helpers.dbt_project import DbtError, DbtProject
from tests.python.helpers.quick_proof import (
    CHANGELOG,
    CURRENT_ROWS,
    VERSIONS,
    quick_project_folder,
)

VENDOR_FOLDERS = REPOSITORY / "tests" / "python" / "vendors"
VENDORS_WITH_ODD_BODIES = sorted(
    file.parent.name for file in VENDOR_FOLDERS.glob("*/odd_bodies.json")
)
TABLE_ID = 16384
FIRST_ROW = ("people", '{"id":"1","name":"x"}', False)

pytestmark = [pytest.mark.server, pytest.mark.slow]


def _relation(lsn: str, table: str, *columns: str, key: str = "id") -> dict[str, Any]:
    names = [{"name": name, "typ": "text", "primary": name == key} for name in columns]
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
_INSERT_WITH_NULL_AT_20 = _transaction("0/20", "Insert", table_id=TABLE_ID, table_row=["2", None])
_TRUNCATE_AT_20 = _transaction("0/20", "Truncate", options=0, rel_ids=[TABLE_ID])


def _copied(number: int) -> dict[str, Any]:
    return {"type": "copy", "table_id": TABLE_ID, "table_row": [str(number), "x"]}


# source: what lands before each run
DELIVERIES: dict[str, tuple[list[dict[str, Any]], ...]] = {
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
    "unreadable": (
        [_relation("0/1", "people", "id", "name"), *_INSERT_AT_10, *_INSERT_WITH_NULL_AT_20],
        [_relation("0/15", "people", "id", "name", "title")],
    ),
    "readable after all": (
        [_relation("0/1", "people", "id", "name"), *_INSERT_AT_10, *_INSERT_WITH_NULL_AT_20],
        [_relation("0/15", "people", "id", "name", "title")],
        [_relation("0/17", "people", "id", "title")],
    ),
    "without a key": (
        [_relation("0/1", "people", "id", "name"), *_INSERT_AT_10, *_INSERT_WITH_NULL_AT_20],
        [_relation("0/15", "people", "id", "name", key="name")],
    ),
    "with a key after all": (
        [_relation("0/1", "people", "id", "name"), *_INSERT_AT_10, *_INSERT_WITH_NULL_AT_20],
        [_relation("0/15", "people", "id", "name", key="name")],
        [_relation("0/17", "people", "id", "name")],
    ),
}
RUNS = max(len(runs) for runs in DELIVERIES.values())


def _columns_of_items(schema_id: str, version: int, day: str, key: str) -> dict[str, Any]:
    columns = {
        name: {"ordinal": number, "type": "WSTRING", "primaryKeyPosition": int(name == key)}
        for number, name in enumerate(("id", "name", "note"), start=1)
    }
    lineage = {"schema": "dbo", "table": "items", "tableVersion": version, "timestamp": day}
    message = {
        "schemaId": schema_id,
        "lineage": lineage,
        "tableStructure": {"tableColumns": columns},
    }
    return {"magic": "atMSG", "type": "MD", "message": message}


def _update_of_items(column_mask: str, **data: Any) -> dict[str, Any]:
    headers = {
        "operation": "UPDATE", "changeSequence": "20260321000000000000000000000000001",
        "timestamp": "2026-03-21T00:00:00.000", "changeMask": "04", "columnMask": column_mask,
    }  # fmt: skip
    return {"data": data, "beforeData": data, "headers": headers}


# source: topic and message that land before each run
QLIK_DELIVERIES: dict[str, tuple[tuple[str | None, dict[str, Any]], ...]] = {
    "waits for its columns": (
        (
            None,
            {
                "magic": "atMSG", "type": "DT", "messageSchemaId": "S1",
                "message": _update_of_items("05", id="7", name=None, note="n"),
            },
        ),
        ("metadata", _columns_of_items("S1", 1, "2026-03-01T00:00:00.000", "id")),
    ),
    "older columns come later": (
        ("metadata", _columns_of_items("V2", 2, "2026-03-22T00:00:00.000", "id")),
        ("dbo.items", _update_of_items("07", id="7", name="x", note="n")),
        ("metadata", _columns_of_items("V1", 1, "2026-03-01T00:00:00.000", "note")),
    ),
}  # fmt: skip


def _event(number: int) -> str:
    """An insert in a batch, about 400 bytes."""
    after = {"id": number, "text": "x" * 250}
    return json.dumps(
        {
            "id": f"evt-{number}", "operation": "INSERT", "table": "large", "after": after,
            "position": {"lsn": "0/9", "sequence": number},
        }
    )  # fmt: skip


def _batch(*events: str) -> str:
    return f'{{"batch_id":"b","events":[{",".join(events)}]}}'


def _nested(levels: int, lsn: int, action: str, doc: str | None = None) -> str:
    doc = doc or "[" * levels + "]" * levels
    return (
        f'{{"record":{{"id":{levels},"doc":{doc},"n":{lsn}}},"changes":{{}},"action":"{action}",'
        f'"metadata":{{"table_schema":"public","table_name":"deep","commit_lsn":{lsn},"commit_idx":0,'
        f'"record_pks":["{levels}"]}}}}'
    )


# vendor, source: bodies that are large, deep, or bad in one place
HEAVY_BODIES: dict[tuple[str, str], tuple[str, ...]] = {
    ("savegress", "large batch"): (_batch(*map(_event, range(5_000))),),
    ("savegress", "many numbers"): (json.dumps(list(range(50_000))),),
    ("savegress", "raw character"): (
        _batch(*map(_event, range(4)), _event(4).replace("xx", "x\x01", 1)),
    ),
    ("savegress", "repeated key"): (
        _batch(
            _event(0).replace('"id": 0', '"id": 12345678901234567.5'),
            _event(1).replace('"id": 1', '"id": 1, "id": 1'),
        ),
    ),
    ("sequin", "keyless"): (
        '{"record":{"note":"x"},"changes":null,"action":"insert","metadata":{"table_schema":"public",'
        '"table_name":"notes","commit_lsn":1,"commit_idx":0,"record_pks":[]}}',
    ),
    ("sequin", "deep"): (
        _nested(980, 1, "insert"),
        _nested(980, 2, "update", doc='"unchanged_toast"'),
        _nested(1_000, 3, "insert"),
    ),
}
HEAVY_TABLES = (
    "savegress,*,*,large,id,,,",
    "sequin,*,public,deep,id,,,",
)


@pytest.fixture(scope="module")
def project(server: ServerConfig, tmp_path_factory: pytest.TempPathFactory) -> Iterator[DbtProject]:
    vendors = {*VENDORS_WITH_ODD_BODIES, "qlik", "supabase_etl"}
    folder = quick_project_folder(tmp_path_factory.mktemp("cdc_late"), *vendors)
    tables = folder / "seeds" / "config" / "cdc_tables.csv"
    tables.write_text(tables.read_text() + "\n".join(HEAVY_TABLES) + "\n")
    project = DbtProject(folder, server, "cdc_late")
    project.drop_schemas()
    project.dbt("seed")
    for vendor in VENDORS_WITH_ODD_BODIES:
        bodies = json.loads((VENDOR_FOLDERS / vendor / "odd_bodies.json").read_text())
        project.land(vendor, "odd", [Message(value=body) for body in bodies])
    for (vendor, source), bodies in HEAVY_BODIES.items():
        project.land(vendor, source, [Message(value=body) for body in bodies])
    keys_of_runs: list[list[str]] = []
    runs_that_decode_again: list[bool] = []
    for run in range(RUNS):
        for source, runs in DELIVERIES.items():
            if run < len(runs):
                project.land("supabase_etl", source, [Message(value=json.dumps(runs[run]))])
        for source, messages in QLIK_DELIVERIES.items():
            if run < len(messages):
                topic, body = messages[run]
                project.land("qlik", source, [Message(value=json.dumps(body), topic=topic)])
        project.dbt("run")
        keys_of_runs.append(_keys(project, "older columns come later"))
        runs_that_decode_again.append(_decodes_changes_again(project))
        if run == 0:
            assert _counts(project, "waits for its columns") == (0, 1, 0)
    assert keys_of_runs == [[], ['["7"]'], ['["n"]']]
    # Stored changes are decoded again by runs that bring schemas, and by no other.
    project.dbt("run")
    assert [*runs_that_decode_again, _decodes_changes_again(project)] == [False, True, True, False]
    yield project
    project.drop_schemas()


def _decodes_changes_again(project: DbtProject) -> bool:
    """Whether the last run decoded stored changes again, not only events that wait."""
    rows = project.query(
        "select count(*) from {work}.stg_events_to_decode as decoded inner join {work}.int_events as stored"
        " on decoded.redecoded_event_id = concat(stored.load_number, '/', stored.event_number)"
        " where stored.status = 'change'"
    )
    return bool(rows[0][0])


def _keys(project: DbtProject, source: str) -> list[str]:
    rows = project.query(
        f"select row_key from {{cdc}}.cdc_current_rows where source = '{source}' order by row_key"
    )
    return [key for (key,) in rows]


def _row(project: DbtProject, source: str) -> list[tuple[Any, ...]]:
    return project.query(
        "select table_name, `row`, is_deleted from {cdc}.cdc_current_rows"
        f" where source = '{source}' order by table_name, row_key"
    )


def _counts(project: DbtProject, source: str) -> tuple[Any, ...]:
    return project.query(
        "select sum(changes), sum(pending), sum(rejected) from {cdc}.cdc_health"
        f" where source = '{source}'"
    )[0]


def test_a_table_schema_that_arrives_with_the_row_again_is_not_lost(project: DbtProject) -> None:
    assert _row(project, "redelivered") == [("people", '{"id":"1","title":"x"}', False)]


def test_a_truncate_that_turns_out_to_be_of_another_table_spares_the_first(
    project: DbtProject,
) -> None:
    assert _row(project, "renamed") == [("people", '{"id":"1","name":"x"}', False)]


def test_a_change_that_a_late_table_schema_makes_unreadable_waits_again(
    project: DbtProject,
) -> None:
    assert _row(project, "unreadable") == [FIRST_ROW]
    assert _counts(project, "unreadable") == (1, 1, 0)


def test_a_change_that_waits_again_is_read_with_the_table_schema_that_comes_at_last(
    project: DbtProject,
) -> None:
    second = ("people", '{"id":"2","title":null}', False)
    assert _row(project, "readable after all") == [FIRST_ROW, second]
    assert _counts(project, "readable after all") == (2, 0, 0)


def test_a_change_whose_key_turns_out_to_be_null_is_rejected_after_all(project: DbtProject) -> None:
    assert _row(project, "without a key") == [FIRST_ROW]
    assert _counts(project, "without a key") == (1, 0, 1)


def test_a_change_that_was_rejected_for_its_key_is_read_under_the_key_that_comes_at_last(
    project: DbtProject,
) -> None:
    second = ("people", '{"id":"2","name":null}', False)
    assert _row(project, "with a key after all") == [FIRST_ROW, second]
    assert _counts(project, "with a key after all") == (2, 0, 0)


def test_a_row_that_waits_for_its_columns_is_read_when_they_come(project: DbtProject) -> None:
    row = ("items", '{"id":"7","note":"n"}', False)
    assert _row(project, "waits for its columns") == [row]
    assert _counts(project, "waits for its columns")[1:] == (0, 0)


def test_a_row_is_read_again_under_the_key_of_older_columns_that_come_later(
    project: DbtProject,
) -> None:
    assert _keys(project, "older columns come later") == ['["n"]']


def test_late_table_schemas_leave_what_a_rebuild_would_make(project: DbtProject) -> None:
    queries = (CHANGELOG, CURRENT_ROWS, VERSIONS)
    in_three_runs = [project.query(query) for query in queries]
    project.dbt("run", cdc_rebuild=True)
    assert [project.query(query) for query in queries] == in_three_runs


def test_bodies_with_blanks_marks_and_repeated_keys_are_counted_as_they_are_read(
    project: DbtProject,
) -> None:
    project.dbt("test", "--select", "accounts_for_every_message")


def test_a_message_that_nobody_accounts_for_is_noticed(project: DbtProject) -> None:
    project.query(
        "insert into {raw}.supabase_etl (value, source, landing_batch)"
        " select '{}', 'missed', min(landing_batch) from {raw}.supabase_etl"
    )
    with pytest.raises(DbtError, match="accounts_for_every_message"):
        project.dbt("test", "--select", "accounts_for_every_message")
    project.query("delete from {raw}.supabase_etl where source = 'missed'")


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


def test_a_batch_of_five_thousand_events_gives_five_thousand_rows(project: DbtProject) -> None:
    assert _counts(project, "large batch") == (5_000, 0, 0)


def test_an_array_of_fifty_thousand_numbers_is_rejected_number_by_number(
    project: DbtProject,
) -> None:
    assert _counts(project, "many numbers") == (0, 0, 50_000)


def test_a_raw_control_character_rejects_its_event_and_not_its_batch(project: DbtProject) -> None:
    assert _counts(project, "raw character") == (4, 0, 1)


def test_the_last_of_several_values_of_one_key_counts_as_for_every_json_reader(
    project: DbtProject,
) -> None:
    assert _counts(project, "repeated key") == (2, 0, 0)


def test_a_change_of_a_table_without_any_key_waits(project: DbtProject) -> None:
    assert _counts(project, "keyless") == (0, 1, 0)


def test_a_deep_image_is_folded_and_a_deeper_one_is_set_aside(project: DbtProject) -> None:
    assert _counts(project, "deep") == (2, 0, 1)
    deep = "[" * 980 + "]" * 980
    assert _row(project, "deep") == [("deep", f'{{"id":980,"doc":{deep},"n":2}}', False)]

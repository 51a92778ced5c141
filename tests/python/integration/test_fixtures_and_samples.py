"""Five dialects, one scenario; and every published sample message, with a stated status for each."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.samples import VENDOR_FOLDERS, VENDORS

pytestmark = pytest.mark.server


def _samples() -> list[tuple[str, str, int, list[dict[str, Any]]]]:
    """Every line of every sample file with its stated status: (vendor, file, line, events)."""
    found = []
    for vendor in VENDORS:
        expected = json.loads((VENDOR_FOLDERS / vendor / "samples" / "expected.json").read_text())
        for entry in expected:
            found.append((vendor, entry["file"], entry["line"], entry["events"]))
    return found


@pytest.fixture(scope="module")
def scenario(fixture_scenario: DbtProject) -> DbtProject:
    """The fixture scenario and the sample messages."""
    return fixture_scenario


@pytest.mark.parametrize("mart", ["changelog", "current_rows", "row_versions"])
def test_every_vendor_reproduces_the_scenario_landed_in_three_runs(
    scenario: DbtProject, mart: str
) -> None:
    assert scenario.query(f"select * from {{cdc}}.fixture_{mart}_differences") == []


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_vendor_carries_most_of_the_scenario(scenario: DbtProject, vendor: str) -> None:
    sent = scenario.query(
        "select count(distinct change_id) from {cdc}.cdc_changelog"
        f" where source = 'fixtures' and vendor = '{vendor}' and operation in ('insert', 'update', 'delete')"
    )[0][0]
    assert sent >= 40


def test_the_data_tests_of_all_models_hold(scenario: DbtProject) -> None:
    results = scenario.dbt("test", "--exclude", "test_type:unit")
    assert len(results.results) >= 60


def test_the_documentation_gives_every_column_the_type_that_it_has(scenario: DbtProject) -> None:
    wrong, compared = [], 0
    for node in scenario.dbt("parse").nodes.values():
        if node.resource_type != "model" or node.config.materialized == "ephemeral":
            continue
        rows = scenario.query(f"describe {node.schema}.{node.alias}")
        types = {name: kind for name, kind, *_ in rows}
        compared += len(node.columns)
        for name, column in node.columns.items():
            documented = re.sub(r"\s", "", column.data_type or "")
            if documented != types.get(name):
                wrong.append(f"{node.name}.{name}: {documented}, and it is {types.get(name)}")
    assert compared > 300
    assert not wrong, "\n".join(wrong)


def test_every_unit_test_of_every_vendor_passes(scenario: DbtProject) -> None:
    results = scenario.dbt("test", "--select", "test_type:unit").results
    folders = Counter(
        Path(result.node.original_file_path).parent.name
        for result in results
        if result.node.resource_type == "unit_test"
    )
    assert set(VENDORS) <= set(folders), folders
    assert sum(folders.values()) >= 150


def test_every_event_is_in_exactly_one_place(scenario: DbtProject) -> None:
    wrong = scenario.query(
        "select vendor, source, sum(events), sum(changes + control + segments + duplicates + ignored + rejected + pending)"
        " from {cdc}.cdc_health group by vendor, source"
        " having sum(events) <> sum(changes + control + segments + duplicates + ignored + rejected + pending)"
    )
    assert wrong == []


def test_the_server_describes_every_public_relation_and_column(scenario: DbtProject) -> None:
    for (name,) in scenario.query(
        "select distinct concat('cdc_', name) from values ('changelog'), ('current_rows'), ('row_versions'), ('health'),"
        " ('rejected_messages'), ('pending_messages'), ('transactions'), ('table_schemas') as marts (name)"
    ):
        columns = scenario.query(f"describe {{cdc}}.{name}")
        assert [column for column, _, comment in columns if not comment] == [], name
        details = dict(row[:2] for row in scenario.query(f"describe extended {{cdc}}.{name}"))
        assert details["Comment"].startswith("One row per"), name


def test_status_names_every_source_and_what_was_rejected(scenario: DbtProject) -> None:
    done = scenario.tool("cdc_changelog", "status", "--work-schema", scenario.work_schema)
    assert done.returncode == 0, done.stdout + done.stderr
    reasons = scenario.query("select distinct reason from {cdc}.cdc_rejected_messages")
    sources = scenario.query("select distinct source from {cdc}.cdc_health")
    assert [name for (name,) in reasons + sources if name not in done.stdout] == []


def test_explain_shows_the_life_of_a_row(scenario: DbtProject) -> None:
    vendor, source, table, key = scenario.query(
        "select vendor, source, table_name, row_key from {cdc}.cdc_row_versions where source = 'fixtures'"
        " order by version_number desc, vendor, table_name, row_key limit 1"
    )[0]
    explain = ("cdc_changelog", "explain", f"ROW={source}/{table}/{','.join(json.loads(key))}")
    done = scenario.tool(*explain)
    assert (done.returncode, f"--vendor {vendor}" in done.stderr) == (1, True), done.stderr
    done = scenario.tool(*explain, "--vendor", vendor)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = scenario.query(
        "select distinct `row` from {cdc}.cdc_row_versions"
        f" where source = 'fixtures' and table_name = '{table}' and row_key = '{key}' and vendor = '{vendor}'"
    )
    assert len(rows) > 2
    assert [row for (row,) in rows if row not in done.stdout] == []


def test_explain_names_rows_that_there_are_where_one_is_not(scenario: DbtProject) -> None:
    done = scenario.tool("cdc_changelog", "explain", "ROW=fixtures/orders/no_such_key")
    assert (done.returncode, '["1001"]' in done.stderr) == (1, True), done.stderr
    done = scenario.tool("cdc_changelog", "explain", "ROW=fixtures/ordres/1001")
    assert (done.returncode, "fixtures/orders" in done.stderr) == (1, True), done.stderr


def test_status_and_explain_give_json_to_other_programs(scenario: DbtProject) -> None:
    done = scenario.tool("cdc_changelog", "status", "--json", "--work-schema", scenario.work_schema)
    assert done.returncode == 0, done.stdout + done.stderr
    messages = scenario.query("select sum(messages) from {cdc}.cdc_health")[0][0]
    assert sum(line["messages"] for line in json.loads(done.stdout)["health"]) == messages
    explain = ("cdc_changelog", "explain", "--json", "ROW=fixtures/orders/1001")
    done = scenario.tool(*explain, "--vendor", VENDORS[0])
    assert done.returncode == 0, done.stdout + done.stderr
    versions = scenario.query(
        "select count(*) from {cdc}.cdc_row_versions where source = 'fixtures'"
        f" and table_name = 'orders' and row_key = '[\"1001\"]' and vendor = '{VENDORS[0]}'"
    )[0][0]
    assert len(json.loads(done.stdout)["versions"]) == versions


def test_explain_says_what_names_a_row(scenario: DbtProject) -> None:
    done = scenario.tool("cdc_changelog", "explain", "ROW=orders")
    assert (done.returncode, "<source>/<table>/<key" in done.stderr) == (1, True)


@pytest.fixture(scope="module")
def events(scenario: DbtProject) -> dict[tuple[str, str, int], list[tuple[Any, ...]]]:
    """What became of each sample line: (status, operation, table, reason) by event."""
    found: dict[tuple[str, str, int], list[tuple[Any, ...]]] = {}
    for vendor, topic, offset, *event in scenario.query(
        """
        select vendor, topic, `offset`, 'change', operation, table_name, cast(null as string), event_index, change_id
        from {cdc}.cdc_changelog where source like 'sample_%'
        union all
        select vendor, topic, `offset`, 'rejected', null, table_name, reason, event_index, value
        from {cdc}.cdc_rejected_messages where source like 'sample_%'
        union all
        select vendor, topic, `offset`, 'pending', null, table_name, reason, event_index, value
        from {cdc}.cdc_pending_messages where source like 'sample_%'
        order by 1, 2, 3, 8, 9
        """
    ):
        file = topic.removeprefix("file:")
        found.setdefault((vendor, file, offset), []).append(tuple(event[:4]))
    return found


@pytest.mark.parametrize(
    ("vendor", "file", "line", "expected"), _samples(), ids=lambda value: str(value)[:40]
)
def test_a_sample_message_becomes_what_is_stated(
    events: dict[tuple[str, str, int], list[tuple[Any, ...]]],
    vendor: str,
    file: str,
    line: int,
    expected: list[dict[str, Any]],
) -> None:
    stated = [
        (
            event["status"],
            event["operation"] if event["status"] == "change" else None,
            event["reason"],
        )
        for event in expected
        if event["status"] in ("change", "rejected", "pending")
    ]
    found = [
        (status, operation, reason)
        for status, operation, _, reason in events.get((vendor, file, line), [])
    ]
    assert sorted(found, key=str) == sorted(stated, key=str)

"""What has to hold in Spark's plans of the hot models, so that their speed does not rot unseen."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest

from cdc_changelog.commands.build import PUBLIC_VIEWS
from cdc_changelog.config import ServerConfig
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.quick_proof import land_together
from tests.python.helpers.samples import VENDORS

pytestmark = pytest.mark.server

FIRST_BUILD, LATER_RUN = "first build", "later run"
MODELS = ("int_new_events", "int_events", "int_row_versions")
LARGEST_METHOD_THAT_JAVA_COMPILES = 8000  # bytes; spark.sql.codegen.hugeMethodLimit of our server
Plans = dict[tuple[str, str], str]  # what was run, and the model


def _sent(project: DbtProject, model: str) -> str:
    """The select that the last run sent to the server."""
    compiled = project.folder / "target" / "compiled" / "cdc_changelog" / "models"
    # Inputs of unit tests are compiled too, below the name of their file.
    [path] = (
        path
        for path in compiled.rglob(f"{model}.sql")
        if not any(part.endswith(".yml") for part in path.parts)
    )
    return path.read_text()


def _plan(project: DbtProject, model: str) -> str:
    return str(project.query(f"explain formatted {_sent(project, model)}")[0][0])


def _nodes(plan: str, kind: str) -> list[str]:
    """The details of the plan's nodes of a kind."""
    return re.findall(
        rf"^\(\d+\) {kind}\b.*?(?=^\(\d+\) |\Z)", plan, flags=re.MULTILINE | re.DOTALL
    )


@pytest.fixture(scope="module")
def project(make_project: Callable[..., DbtProject]) -> DbtProject:
    """A project of which nothing has been built."""
    return make_project("cdc_plans", SIXTH_VENDOR, vendors=("acme",))


@pytest.fixture(scope="module")
def plans(project: DbtProject) -> Plans:
    """Plans of what a first build and a later run of rows with full images sent to the server."""
    project.dbt("seed")
    found: Plans = {}
    for run, points in ((FIRST_BUILD, (10, 20, 30)), (LATER_RUN, (15,))):
        land_together(project, [(json.dumps(full(point, v=point)), "shop") for point in points])
        project.dbt("run", "--exclude", PUBLIC_VIEWS)
        found |= {(run, model): _plan(project, model) for model in MODELS}
    return found


@pytest.mark.parametrize("run", [FIRST_BUILD, LATER_RUN])
def test_raw_messages_of_new_batches_are_read_for_what_is_parsed_and_for_what_is_rejected(
    server: ServerConfig, plans: Plans, run: str
) -> None:
    scans = [
        scan
        for scan in _nodes(plans[run, "int_new_events"], "(?:Batch)?Scan")
        if "_raw.acme" in scan
    ]
    assert len(scans) == 2, scans
    for scan in scans:
        if server.table_format == "iceberg":
            # It learns the batches while the query runs.
            scan_number = scan[1 : scan.index(")")]
            sent = rf"operator id = {scan_number} Hosting Expression = landing_batch#\w+ IN dynamicpruning"
            assert re.search(sent, plans[run, "int_new_events"]), scan
        else:
            assert re.search(r"PartitionFilters: \[.*landing_batch.*\]", scan), scan
    assert all("_raw.acme" not in plans[run, model] for model in MODELS[1:])


def test_rows_are_put_in_order_by_one_shuffle(plans: Plans) -> None:
    plan = plans[FIRST_BUILD, "int_row_versions"]
    assert len(_nodes(plan, "Window")) >= 1
    assert len([node for node in _nodes(plan, "Exchange") if "hashpartitioning" in node]) == 1, plan


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("run", [FIRST_BUILD, LATER_RUN])
def test_no_python_runs_where_nothing_is_folded(plans: Plans, run: str, model: str) -> None:
    assert not re.search(r"EvalPython|PythonUDF", plans[run, model])


@pytest.mark.parametrize("run", [FIRST_BUILD, LATER_RUN])
def test_events_that_are_no_further_deliveries_are_stored_without_a_shuffle(
    plans: Plans, run: str
) -> None:
    plan = plans[run, "int_events"]
    assert not [node for node in _nodes(plan, "Exchange") if "hashpartitioning" in node], plan


def test_new_events_are_not_sorted_for_few_further_deliveries(
    fixture_scenario: DbtProject,
) -> None:
    threshold = "spark.sql.autoBroadcastJoinThreshold"  # without it Spark broadcasts what is small
    fixture_scenario.query(f"set {threshold} = -1")
    try:
        plan = _plan(fixture_scenario, "int_events")
    finally:
        fixture_scenario.query(f"reset {threshold}")
    assert "decided_status" in plan
    joins = re.findall(r"\w+Join\b", plan)
    assert joins[0] == "BroadcastHashJoin", plan


@pytest.mark.usefixtures("plans")
def test_affected_rows_are_looked_for_in_the_files_of_new_loads_alone(
    server: ServerConfig, project: DbtProject
) -> None:
    assert re.search(r"where load_number > \d{10,}", _sent(project, "int_affected_rows"))
    if server.table_format == "delta":
        location = project.query("describe detail {work}.int_events")[0][4]
        files = project.query(
            "select get_json_object(`add`.stats, '$.minValues.load_number'),"
            " get_json_object(`add`.stats, '$.nullCount.row_id_before')"
            f" from json.`{location}/_delta_log/*.json` where `add` is not null"
        )
        assert len(files) >= 2, files
        assert all(None not in sent for sent in files), files


@pytest.mark.parametrize("model", ["stg_supabase_etl__transactions", "stg_supabase_etl__schemas"])
def test_conditions_stay_behind_the_parse_that_they_look_at(
    fixture_scenario: DbtProject, model: str
) -> None:
    plan = _plan(fixture_scenario, model)
    assert "from_json(" in plan
    # The fixtures carry headers as JSON, which are looked at before any body is.
    headers_of_fixtures = r"from_json\(MapType\([^)]*\),[^)]*headers_json"
    filters = [re.sub(headers_of_fixtures, "", node) for node in _nodes(plan, "Filter")]
    assert not [node for node in filters if "from_json(" in node], plan


@pytest.mark.parametrize("vendor", VENDORS)
def test_an_event_of_a_list_carries_no_copy_of_the_list(
    fixture_scenario: DbtProject, vendor: str
) -> None:
    plan = _plan(fixture_scenario, f"stg_{vendor}__fields")
    carried = re.findall(r"explode\(.*, \[((?:\w+#\w+(?:, )?)+)\], (?:true|false), \[", plan)
    assert carried
    lists = {
        "body", "value", "envelope_text", "clean_text", "envelope", "envelopes",
        "items", "item_texts", "are_items_json", "events", "truncates",
    }  # fmt: skip
    for columns in carried:
        names = {column.split("#")[0].strip() for column in columns.split(",")}
        assert "landing_batch" in names
        assert names & lists == set()


@pytest.mark.parametrize("model", [*(f"stg_{vendor}__changes" for vendor in VENDORS), *MODELS])
def test_java_compiles_every_stage_of_a_statement_over_all_messages(
    fixture_scenario: DbtProject, model: str
) -> None:
    code = str(fixture_scenario.query(f"explain codegen {_sent(fixture_scenario, model)}")[0][0])
    sizes = [int(size) for size in re.findall(r"maxMethodCodeSize:(\d+)", code)]
    assert sizes
    assert max(sizes) <= LARGEST_METHOD_THAT_JAVA_COMPILES

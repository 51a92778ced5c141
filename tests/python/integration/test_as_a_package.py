"""A project of one's own installs the package: own profile, schemas, configuration, raw messages, models and a macro."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from cdc_changelog.client import connect, run_sql
from cdc_changelog.config import REPOSITORY, ServerConfig

ROOT_PROJECT = REPOSITORY / "tests" / "root_project"
SCHEMAS = (
    "analytics",
    "analytics_cdc",
    "analytics_cdc_work",
    "analytics_landing",
    "analytics_lake",
)
COLUMNS = (
    "value string, `key` string, headers map<string, string>, topic string, `partition` int, `offset` bigint,"
    " `timestamp` timestamp, source string, landing_batch bigint"
)


def order(number: int, action: str, at: str, **record: Any) -> str:
    """A message of Sequin about an order."""
    return json.dumps(
        {
            "record": record,
            "action": action,
            "changes": {"status": "draft"} if action == "update" else None,
            "metadata": {
                "table_schema": "public",
                "table_name": "orders",
                "commit_timestamp": at,
                "commit_lsn": number,
                "commit_idx": 0,
                "database_name": "shop",
                "idempotency_key": f"k{number}",
                "record_pks": [str(record["id"])],
                "consumer": {"id": "c", "name": "analytics"},
            },
        }
    )


MESSAGES = (
    order(1, "insert", "2026-03-01T10:00:00Z", id=1, status="draft", total="9.90", is_gift="Y"),
    order(2, "insert", "2026-03-01T11:00:00Z", id=2, status="open", total="20.00", is_gift="N"),
    order(3, "update", "2026-03-03T10:00:00Z", id=1, status="open", total="9.90", is_gift="Y"),
)


@dataclass(frozen=True)
class Analytics:
    """The project's folder, and how its commands are run."""

    folder: Path
    server: ServerConfig

    def run(self, *command: str) -> str:
        """Run a command of the Python environment in the project; return what it said."""
        environment = {
            name: value for name, value in os.environ.items() if not name.startswith("DBT_")
        }
        environment |= {
            "CDC_PACKAGE": str(REPOSITORY),
            "CDC_THRIFT_HOST": self.server.host,
            "CDC_THRIFT_PORT": str(self.server.port),
            "CDC_TABLE_FORMAT": self.server.table_format,
            "COLUMNS": "200",
        }
        done = subprocess.run(
            [str(Path(sys.executable).with_name(command[0])), *command[1:]],
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout
        return done.stdout

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        connection = connect(self.server.host, self.server.port)
        try:
            return run_sql(connection, sql)
        finally:
            connection.close()


@pytest.fixture(scope="module")
def analytics(
    server: ServerConfig, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Analytics]:
    folder = tmp_path_factory.mktemp("analytics")
    shutil.copytree(ROOT_PROJECT, folder, dirs_exist_ok=True)
    project = Analytics(folder, server)
    for schema in SCHEMAS:
        project.query(f"drop schema if exists {schema} cascade")
    # The team's own landing: a table of the shape that the contract gives.
    project.query("create schema analytics_lake")
    project.query(
        f"create table analytics_lake.sequin_messages ({COLUMNS}) using {server.table_format}"
    )
    lines = ", ".join(
        f"('{body}', null, null, 'orders', 0, {number}, timestamp '2026-03-04 00:00:00', 'shop', 1)"
        for number, body in enumerate(MESSAGES)
    )
    project.query(f"insert into analytics_lake.sequin_messages values {lines}")
    project.run("dbt", "deps", "--quiet")
    project.run("dbt", "build", "--profiles-dir", ".")
    yield project
    for schema in SCHEMAS:
        project.query(f"drop schema if exists {schema} cascade")


@pytest.mark.server
def test_models_of_ones_own_are_made_of_the_marts_and_a_macro_of_the_package_is_overridden(
    analytics: Analytics,
) -> None:
    assert analytics.query(
        "select id, status, total, is_gift from analytics.orders order by id"
    ) == [
        (1, "open", Decimal("9.90"), True),
        (2, "open", 20, False),
    ]
    assert analytics.query(
        "select id, status, is_current from analytics.orders_history order by id, valid_from"
    ) == [
        (1, "draft", False),
        (1, "open", True),
        (2, "open", True),
    ]
    assert analytics.query("select count(*) from analytics.open_orders") == [(2,)]


@pytest.mark.server
def test_rows_of_a_moment_are_asked_for_in_a_model_of_ones_own(analytics: Analytics) -> None:
    rows = analytics.query("select `row` from analytics.orders_on_monday order by row_key")
    assert [json.loads(row)["status"] for (row,) in rows] == ["draft", "open"]


@pytest.mark.server
def test_everything_lies_where_the_projects_variables_say(analytics: Analytics) -> None:
    schemas = {name for (name,) in analytics.query("show schemas")}
    assert set(SCHEMAS) <= schemas
    tables = {name for _, name, *_ in analytics.query("show tables in analytics_cdc_work")}
    assert {"int_events", "run_configuration"} <= tables
    # The seeds of the package are off, and those of the project lie where the project has its seeds.
    assert "cdc_tables" not in tables
    assert analytics.query("select key_columns from analytics.our_cdc_tables") == [("id",)]
    keys = analytics.query("select distinct key_columns from analytics_cdc.cdc_changelog")
    assert keys == [('["id"]',)]


@pytest.mark.server
def test_one_model_and_what_it_reads_are_built_without_the_packages_unit_tests(
    analytics: Analytics,
) -> None:
    said = analytics.run("dbt", "build", "--select", "+orders", "--profiles-dir", ".")
    assert "unit_test" not in said
    assert "ERROR=0" in said


@pytest.mark.server
def test_the_command_line_works_on_the_project(analytics: Analytics) -> None:
    assert "Nothing new" in analytics.run("cdc", "run") + analytics.run("cdc", "run")
    health = json.loads(analytics.run("cdc", "status", "--json"))["health"]
    assert [(line["vendor/source"], line["changes"]) for line in health] == [("sequin/shop", 3)]
    life = json.loads(analytics.run("cdc", "explain", "shop/orders/1", "--json"))
    assert [change["operation"] for change in life["changes"]] == ["insert", "update"]


@pytest.mark.server
def test_a_table_without_a_key_is_listed_with_a_line_to_paste(analytics: Analytics) -> None:
    body = json.loads(MESSAGES[0])
    body["metadata"] |= {
        "table_name": "notes",
        "record_pks": [],
        "commit_lsn": 9,
        "idempotency_key": "k9",
    }
    analytics.query(
        f"insert into analytics_lake.sequin_messages values ('{json.dumps(body)}', null, null, 'notes', 0, 0,"
        " timestamp '2026-03-04 00:00:00', 'shop', 2)"
    )
    analytics.run("cdc", "run")
    said = analytics.run("cdc", "keys")
    assert "is_gift" in said
    assert "seeds/cdc/our_cdc_tables.csv" in said
    assert "sequin,shop,public,notes,<key>,,," in said
    # The line, with a key in it, releases what waited.
    path = analytics.folder / "seeds" / "cdc" / "our_cdc_tables.csv"
    path.write_text(path.read_text() + "sequin,shop,public,notes,id,,,\n")
    analytics.run("cdc", "run")
    rows = analytics.query(
        "select row_key from analytics_cdc.cdc_current_rows where table_name = 'notes'"
    )
    assert rows == [('["1"]',)]


@pytest.mark.server
def test_a_wrong_line_of_the_projects_own_configuration_is_an_error_with_its_number(
    analytics: Analytics,
) -> None:
    path = analytics.folder / "seeds" / "cdc" / "our_cdc_tables.csv"
    good = path.read_text()
    path.write_text(good + "sequinn,shop,public,lines,id,,,\n")
    try:
        with pytest.raises(AssertionError, match="line 4: vendor is 'sequinn'; expected one of"):
            analytics.run("dbt", "seed", "--profiles-dir", ".")
    finally:
        path.write_text(good)


@pytest.mark.server
def test_a_typed_table_is_written_is_built_and_belongs_to_the_project_from_then_on(
    analytics: Analytics,
) -> None:
    command = ("cdc", "table", "shop.orders", "--name", "typed_orders")
    assert "types come from the values of 2 rows" in analytics.run(*command)
    path = analytics.folder / "models" / "tables" / "typed_orders.sql"
    assert "as id," in path.read_text()
    analytics.run(
        "dbt", "build", "--select", "typed_orders", "typed_orders_history", "--profiles-dir", "."
    )
    assert analytics.query(
        "select id, status, total, cast_errors from analytics.typed_orders order by id"
    ) == [
        (1, "open", Decimal("9.90"), "[]"),
        (2, "open", Decimal("20.00"), "[]"),
    ]
    assert analytics.query("select count(*) from analytics.typed_orders_history") == [(3,)]
    # Nothing is overwritten: what differs is shown.
    assert "as it was" in analytics.run(*command)
    mine = path.read_text().replace("as status,", "as state,")
    path.write_text(mine)
    with pytest.raises(AssertionError) as differs:
        analytics.run(*command)
    assert "as state," in str(differs.value)
    assert path.read_text() == mine
    analytics.run(*command, "--force")
    assert "as status," in path.read_text()


@pytest.mark.server
def test_a_table_that_is_not_there_is_named_with_those_that_are(analytics: Analytics) -> None:
    with pytest.raises(
        AssertionError, match=r"No row of shop.ordres is there. Tables with rows: shop.public"
    ):
        analytics.run("cdc", "table", "shop.ordres")


@pytest.mark.server
def test_net_changes_between_two_times_are_asked_for_in_a_model_and_in_plain_sql(
    analytics: Analytics,
) -> None:
    # Order 1 became open on 3 March; order 2 was there before. On 1 March both came.
    assert analytics.query(
        "select row_key, change, row_before, changed_columns from analytics.changes_of_orders order by row_key"
    ) == [
        ('["1"]', "update", '{"id":1,"status":"draft","total":"9.90","is_gift":"Y"}', '["status"]')
    ]
    assert analytics.query(
        "select row_key, change, row_before.status, row_after.status from analytics.typed_changes_of_orders"
    ) == [('["1"]', "update", "draft", "open")]
    if analytics.server.table_format == "delta":
        connection = connect(analytics.server.host, analytics.server.port)
        try:
            run_sql(connection, "use analytics_cdc")
            rows = run_sql(
                connection,
                "select row_key, change from cdc_changes_between('shop', 'orders',"
                " timestamp '2026-03-01 10:30:00', timestamp '2026-03-04') order by row_key",
            )
        finally:
            run_sql(connection, "use default")
            connection.close()
        assert rows == [('["1"]', "update"), ('["2"]', "insert")]


@pytest.mark.server
def test_the_life_of_a_row_is_written_as_a_page(analytics: Analytics) -> None:
    assert "wrote row.html" in analytics.run(
        "cdc", "explain", "shop/orders/1", "--html", "row.html"
    )
    html = (analytics.folder / "row.html").read_text()
    assert "2 changes made 2 versions" in html
    assert "delivered" not in html
    with pytest.raises(AssertionError, match="No row"):
        analytics.run("cdc", "explain", "shop/orders/9", "--html", "other.html")


@pytest.mark.server
def test_columns_that_come_and_change_are_seen_although_no_message_lists_them(
    analytics: Analytics,
) -> None:
    later = order(
        20, "insert", "2026-03-05T10:00:00Z", id=3, status="open", total=5, is_gift="N", note="x"
    )
    analytics.query(
        f"insert into analytics_lake.sequin_messages values ('{later}', null, null, 'orders', 0, 20,"
        " timestamp '2026-03-06 00:00:00', 'shop', 3)"
    )
    analytics.run("cdc", "run")
    assert analytics.query(
        "select to_json(columns_added), to_json(columns_removed), to_json(columns_changed), columns_from"
        " from analytics_cdc.cdc_table_schemas where table_name = 'orders' order by first_position"
    ) == [(None, None, "[]", "values"), ('["note"]', "[]", '["total"]', "values")]
    said = analytics.run("cdc", "status")
    assert "note" in said and "total" in said
    # The typed table lacks the new column, and says so.
    said = analytics.run("dbt", "test", "--select", "typed_orders", "--profiles-dir", ".")
    assert "WARN=1" in said


@pytest.mark.server
def test_the_tables_are_compacted_from_the_project(analytics: Analytics) -> None:
    analytics.run("cdc", "maintain")

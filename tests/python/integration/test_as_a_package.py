"""A project of one's own installs the package: own profile, schemas, configuration, raw messages, models and a macro."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

import pytest

from cdc_changelog.client import connect, run_sql
from cdc_changelog.config import REPOSITORY, ServerConfig
from tests.python.helpers.shell import Shell

pytestmark = pytest.mark.server

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


@dataclass
class Walk:
    """The project through its first days: what its commands said, and what stood in its tables then."""

    shell: Shell
    said: dict[str, str] = field(default_factory=dict)
    seen: dict[str, list[tuple[Any, ...]]] = field(default_factory=dict)

    def run(self, step: str, *command: str) -> None:
        """Run a command of the Python environment in the project."""
        self.said[step] = self.shell.run(*command)

    def run_that_fails(self, step: str, *command: str) -> None:
        """Run a command that has to fail."""
        with pytest.raises(AssertionError) as failed:
            self.shell.run(*command)
        self.said[step] = str(failed.value)

    def look(self, step: str, sql: str) -> None:
        """Keep what a query finds now."""
        self.seen[step] = self.shell.query(sql)

    def land(self, batch: int, *messages: str) -> None:
        """Write messages into the team's own table, each at an offset of its own."""
        lines = ", ".join(
            f"('{body}', null, null, 'orders', 0, {10 * batch + number},"
            f" timestamp '2026-03-06 00:00:00', 'shop', {batch})"
            for number, body in enumerate(messages)
        )
        self.shell.query(f"insert into analytics_lake.sequin_messages values {lines}")


TYPED_TABLE = ("cdc", "table", "shop.orders", "--name", "typed_orders")
A_TABLE_WITHOUT_KEY = json.loads(MESSAGES[0])
A_TABLE_WITHOUT_KEY["metadata"] |= {
    "table_name": "notes",
    "record_pks": [],
    "commit_lsn": 9,
    "idempotency_key": "k9",
}
# An order with a column that is new, one whose value is a number now, and one that cannot be cast.
A_NEW_COLUMN = order(
    20, "insert", "2026-03-05T10:00:00Z", id=3, status="open", total=5, is_gift="?", note="x"
)


@pytest.fixture(scope="module")
def walk(server: ServerConfig, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    folder = tmp_path_factory.mktemp("analytics")
    shutil.copytree(ROOT_PROJECT, folder, dirs_exist_ok=True)
    walk = Walk(Shell(folder, server, {"CDC_PACKAGE": str(REPOSITORY)}))
    for schema in SCHEMAS:
        walk.shell.query(f"drop schema if exists {schema} cascade")
    # The team's own landing: a table of the shape that the contract gives.
    walk.shell.query("create schema analytics_lake")
    walk.shell.query(
        f"create table analytics_lake.sequin_messages ({COLUMNS}) using {server.table_format}"
    )
    walk.land(1, *MESSAGES)
    _build_and_look(walk)
    _type_a_table(walk)
    _go_on(walk)
    yield walk
    for schema in SCHEMAS:
        walk.shell.query(f"drop schema if exists {schema} cascade")


def _build_and_look(walk: Walk) -> None:
    walk.run("first build", "cdc", "build")
    walk.run("nothing new", "cdc", "run")
    walk.run("one model", "dbt", "ls", "--select", "+orders", "--output", "name")
    walk.run("status", "cdc", "status", "--json")
    walk.run("explain", "cdc", "explain", "shop/orders/1", "--json")
    walk.run("page", "cdc", "explain", "shop/orders/1", "--html", "row.html")
    walk.run_that_fails(
        "page of nothing", "cdc", "explain", "shop/orders/9", "--html", "other.html"
    )
    for model in (
        "select id, status, total, is_gift from analytics.orders order by id",
        "select id, status, is_current from analytics.orders_history order by id, valid_from",
        "select count(*) from analytics.open_orders",
        "select `row` from analytics.orders_on_monday order by row_key",
        "select row_key, change, row_before, changed_columns from analytics.changes_of_orders",
        "select row_key, change, row_before.status, row_after.status from analytics.typed_changes_of_orders",
    ):
        walk.look(model.split("analytics.")[1].split()[0], model)
    walk.look("changelog", "select distinct key_columns from analytics_cdc.cdc_changelog")


def _type_a_table(walk: Walk) -> None:
    path = walk.shell.folder / "models" / "tables" / "typed_orders.sql"
    walk.run("typed", *TYPED_TABLE)
    walk.run("typed again", *TYPED_TABLE)
    path.write_text(path.read_text().replace("as status,", "as state,"))
    walk.run_that_fails("typed, and edited", *TYPED_TABLE)
    walk.said["edited model"] = path.read_text()
    walk.run("typed with force", *TYPED_TABLE, "--force")
    walk.said["overwritten model"] = path.read_text()
    walk.run_that_fails("typed, of no table", "cdc", "table", "shop.ordres")
    walk.run("typed models", "dbt", "build", "--select", "typed_orders", "typed_orders_history")
    walk.look(
        "typed_orders",
        "select id, status, total, cast_errors from analytics.typed_orders order by id",
    )
    walk.look("typed_orders_history", "select count(*) from analytics.typed_orders_history")


def _go_on(walk: Walk) -> None:
    walk.land(2, json.dumps(A_TABLE_WITHOUT_KEY), A_NEW_COLUMN)
    walk.run("new column", "cdc", "run")
    walk.run("keys", "cdc", "keys")
    walk.run("status of columns", "cdc", "status")
    walk.look(
        "cast errors", "select table_name, cast_errors from analytics_cdc.cdc_health order by 1"
    )
    walk.run("typed models tested", "dbt", "test", "--select", "typed_orders")
    walk.look(
        "columns",
        "select to_json(columns_added), to_json(columns_removed), to_json(columns_changed), columns_from"
        " from analytics_cdc.cdc_table_schemas where table_name = 'orders' order by first_position",
    )
    path = walk.shell.folder / "seeds" / "cdc" / "our_cdc_tables.csv"
    good = path.read_text()
    path.write_text(good + "sequinn,shop,public,lines,id,,,\n")
    walk.run_that_fails("a wrong line", "dbt", "seed")
    # The line that `cdc keys` prints, with a key in it, releases what waited.
    path.write_text(good + "sequin,shop,public,notes,id,,,\n")
    walk.run("a key", "cdc", "run")
    walk.look(
        "notes", "select row_key from analytics_cdc.cdc_current_rows where table_name = 'notes'"
    )


def test_models_of_ones_own_are_made_of_the_marts_and_a_macro_of_the_package_is_overridden(
    walk: Walk,
) -> None:
    assert walk.seen["orders"] == [(1, "open", Decimal("9.90"), True), (2, "open", 20, False)]
    assert walk.seen["orders_history"] == [
        (1, "draft", False),
        (1, "open", True),
        (2, "open", True),
    ]
    assert walk.seen["open_orders"] == [(2,)]


def test_rows_of_a_moment_are_asked_for_in_a_model_of_ones_own(walk: Walk) -> None:
    rows = walk.seen["orders_on_monday"]
    assert [json.loads(row)["status"] for (row,) in rows] == ["draft", "open"]


def test_everything_lies_where_the_projects_variables_say(walk: Walk) -> None:
    schemas = {name for (name,) in walk.shell.query("show schemas")}
    assert set(SCHEMAS) <= schemas
    tables = {name for _, name, *_ in walk.shell.query("show tables in analytics_cdc_work")}
    assert {"int_events", "run_configuration"} <= tables
    # The seeds of the package are off, and those of the project lie where the project has its seeds.
    assert "cdc_tables" not in tables
    assert walk.shell.query("select key_columns from analytics.our_cdc_tables") == [("id",)] * 2
    assert walk.seen["changelog"] == [('["id"]',)]


def test_one_model_is_built_with_what_it_reads_and_without_the_packages_unit_tests(
    walk: Walk,
) -> None:
    names = walk.said["one model"].split()
    assert {"orders", "cdc_current_rows", "int_events"} <= set(names)
    said = walk.shell.run("dbt", "ls", "--resource-type", "unit_test")
    assert "No nodes selected" in said


def test_the_command_line_works_on_the_project(walk: Walk) -> None:
    assert "unit_test" not in walk.said["first build"]
    assert "Nothing new" in walk.said["nothing new"]
    health = json.loads(walk.said["status"])["health"]
    assert [(line["vendor/source"], line["changes"]) for line in health] == [("sequin/shop", 3)]
    life = json.loads(walk.said["explain"])
    assert [change["operation"] for change in life["changes"]] == ["insert", "update"]


def test_a_table_without_a_key_is_listed_with_a_line_to_paste(walk: Walk) -> None:
    said = walk.said["keys"]
    assert "is_gift" in said
    assert "seeds/cdc/our_cdc_tables.csv" in said
    assert "sequin,shop,public,notes,<key>,,," in said
    assert walk.seen["notes"] == [('["1"]',)]


def test_a_wrong_line_of_the_projects_own_configuration_is_an_error_with_its_number(
    walk: Walk,
) -> None:
    assert "line 3: vendor is 'sequinn'; expected one of" in walk.said["a wrong line"]


def test_a_typed_table_is_written_is_built_and_belongs_to_the_project_from_then_on(
    walk: Walk,
) -> None:
    assert "types come from the values of 2 rows" in walk.said["typed"]
    assert walk.seen["typed_orders"] == [
        (1, "open", Decimal("9.90"), "[]"),
        (2, "open", Decimal("20.00"), "[]"),
    ]
    assert walk.seen["typed_orders_history"] == [(3,)]
    # Nothing is overwritten: what differs is shown.
    assert "as it was" in walk.said["typed again"]
    assert "as state," in walk.said["typed, and edited"]
    assert "as state," in walk.said["edited model"]
    assert "as status," in walk.said["overwritten model"]


def test_a_table_that_is_not_there_is_named_with_those_that_are(walk: Walk) -> None:
    said = walk.said["typed, of no table"]
    assert "No row of shop.ordres is there. Tables with rows: shop.public" in said


def test_net_changes_between_two_times_are_asked_for_in_a_model_and_in_plain_sql(
    walk: Walk,
) -> None:
    # Order 1 became open on 3 March; order 2 was there before. On 1 March both came.
    assert walk.seen["changes_of_orders"] == [
        ('["1"]', "update", '{"id":1,"status":"draft","total":"9.90","is_gift":"Y"}', '["status"]')
    ]
    assert walk.seen["typed_changes_of_orders"] == [('["1"]', "update", "draft", "open")]
    if walk.shell.server.table_format == "delta":
        connection = connect(walk.shell.server.host, walk.shell.server.port)
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


def test_the_life_of_a_row_is_written_as_a_page(walk: Walk) -> None:
    assert "wrote row.html" in walk.said["page"]
    html = (walk.shell.folder / "row.html").read_text()
    assert "2 changes made 2 versions" in html
    assert "delivered" not in html
    assert "No row" in walk.said["page of nothing"]


def test_columns_that_come_and_change_are_seen_although_no_message_lists_them(walk: Walk) -> None:
    assert walk.seen["columns"] == [
        (None, None, "[]", "values"),
        ('["note"]', "[]", '["total"]', "values"),
    ]
    said = walk.said["status of columns"]
    assert "note" in said and "total" in said
    # The typed table lacks the new column, and says so.
    assert "WARN=1" in walk.said["typed models tested"]


def test_rows_with_values_that_cannot_be_cast_are_counted(walk: Walk) -> None:
    assert walk.seen["cast errors"] == [("notes", 0), ("orders", 1)]
    assert "Rows of typed tables with values that cannot be cast" in walk.said["status of columns"]

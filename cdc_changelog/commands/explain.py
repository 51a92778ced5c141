"""`make explain ROW=…`: the life of one row, change by change and version by version.

ROW is `<source>/<table>/<key>`, the key's values joined by commas: `shop/orders/1001`. It is an
argument, or the variable EXPLAIN_ROW.
"""

from __future__ import annotations

import argparse
import json
import os
import sys

from rich.console import Console

from cdc_changelog.client import SqlConnection, connect, run_sql, sql_literal
from cdc_changelog.commands.console import Report, add_report_options
from cdc_changelog.config import CdcError, config_from_environment

USAGE = "make explain ROW=<source>/<table>/<key value>[,<key value>…]"


def parse_row(argument: str) -> tuple[str, str, str]:
    """Return source, table and row key of `shop/orders/1001`.

    Raises ValueError with the usage.
    """
    parts = argument.removeprefix("ROW=").split("/", 2)
    if len(parts) != 3 or not all(parts):
        raise ValueError(f"{argument!r} names no row. Usage: {USAGE}")
    key = json.dumps(parts[2].split(","), ensure_ascii=False, separators=(",", ":"))
    return parts[0], parts[1], key


def _not_found(connection: SqlConnection, schema: str, source: str, table: str, key: str) -> str:
    """Say which rows of the table there are, or which tables."""
    keys = run_sql(
        connection,
        f"select distinct row_key from {schema}.cdc_current_rows"
        f" where source = {sql_literal(source)} and table_name = {sql_literal(table)} order by 1 limit 5",
    )
    if keys:
        known = f"The first keys of it are {', '.join(key for (key,) in keys)}"
    else:
        tables = run_sql(
            connection,
            f"select distinct concat(source, '/', table_name) from {schema}.cdc_current_rows"
            " order by 1 limit 20",
        )
        known = f"Tables with rows are {', '.join(name for (name,) in tables) or 'none so far'}"
    return (
        f"No row {key} of table {table} came from {source}. {known}. Rows that wait: make status."
    )


def main() -> int:
    """Print the row's changes, versions and present state; return 1 if there is no such row."""
    parser = argparse.ArgumentParser(prog="make explain", usage=USAGE, description=__doc__)
    parser.add_argument(
        "row", metavar="ROW=…", nargs="?", default=os.environ.get("EXPLAIN_ROW", "")
    )
    add_report_options(parser)
    arguments = parser.parse_args()
    schema = arguments.schema
    console = Console(highlight=False, stderr=arguments.json)
    report = Report(console, arguments.json)
    try:
        config = config_from_environment()
        source, table, key = parse_row(arguments.row)
        table_is = f"source = {sql_literal(source)} and table_name = {sql_literal(table)}"
        row_is = f"{table_is} and row_key = {sql_literal(key)}"
        connection = connect(config.host, config.port)
        changes = run_sql(
            connection,
            "select vendor, operation, position, committed_at, snapshot_at, row_key_before, row_key,"
            " coalesce(after, before), warnings, landing_batch, topic, `offset`"
            f" from {schema}.cdc_changelog where {table_is} and (row_key = {sql_literal(key)}"
            f" or row_key_before = {sql_literal(key)} or operation = 'truncate')"
            " order by epoch, position nulls first, committed_at, change_id",
        )
        # A truncate is of every row; a change that is not shown yet has no current row.
        current = run_sql(
            connection,
            "select vendor, `row`, is_deleted, is_partial, operation, position, committed_at, deleted_at"
            f" from {schema}.cdc_current_rows where {row_is} order by 1",
        )
        if not current and all(operation == "truncate" for _, operation, *_ in changes):
            raise ValueError(_not_found(connection, schema, source, table, key))
        names = ["vendor", "operation", "position", "committed at", "read at", "key before", "key", "image", "warnings", "batch", "topic", "offset"]  # fmt: skip
        report.add("changes", f"Changes of {key} in {table} (cdc_changelog)", names, changes)
        versions = run_sql(
            connection,
            "select vendor, version_number, `row`, valid_from, valid_to, opened_by, closed_by, moved_from_row_key,"
            f" moved_to_row_key, change_count from {schema}.cdc_row_versions where {row_is} order by 1, 2",
        )
        names = ["vendor", "version", "row", "from", "to", "opened by", "closed by", "moved from", "moved to", "changes"]  # fmt: skip
        report.add("versions", "Versions (cdc_row_versions)", names, versions)
        names = ["vendor", "row", "deleted", "partial", "last operation", "position", "committed at", "deleted at"]  # fmt: skip
        report.add("current", "Now (cdc_current_rows)", names, current)
    except (CdcError, ValueError) as error:
        console.print(f"error: {error}", style="red", markup=False)
        return 1
    report.end()
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main())

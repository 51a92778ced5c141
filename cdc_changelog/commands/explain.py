"""`cdc explain shop/orders/1001`: the life of one row, change by change and version by version."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from rich.console import Console

from cdc_changelog.client import SqlConnection, connect, run_sql, sql_literal
from cdc_changelog.commands.console import Report
from cdc_changelog.commands.row_page import Row, in_one_table, page, read_life
from cdc_changelog.config import CdcError, config_from_environment

USAGE = "cdc explain <source>/<table>/<key value>[,<key value>…]"


def parse_row(
    argument: str,
    vendor: str | None = None,
    database: str | None = None,
    schema: str | None = None,
) -> Row:
    """Return the row that `shop/orders/1001` names; where that is not enough, the rest says which.

    Raises CdcError with the usage.
    """
    parts = argument.removeprefix("ROW=").split("/", 2)
    if len(parts) != 3 or not all(parts):
        raise CdcError(f"{argument!r} names no row. Usage: {USAGE}")
    key = json.dumps(parts[2].split(","), ensure_ascii=False, separators=(",", ":"))
    return Row(parts[0], parts[1], key, vendor, database, schema)


def _not_found(connection: SqlConnection, schema: str, row: Row) -> str:
    """Say which rows of the table there are, or which tables."""
    keys = run_sql(
        connection,
        f"select distinct row_key from {schema}.cdc_current_rows where {row.table_is}"
        " order by 1 limit 5",
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
        f"No row {row.key} of table {row.table} came from {row.source}. {known}."
        " Rows that wait: cdc status."
    )


def explain(row: Row, schema: str, as_json: bool = False) -> bool:
    """Print a row's changes, its versions and how it is now; return whether the marts show it.

    Raises CdcError if there is no such row, if several tables have it, or if no server answers.
    """
    report = Report(Console(highlight=False, stderr=as_json), as_json)
    config = config_from_environment()
    with closing(connect(config.host, config.port)) as connection:
        is_shown = _report(report, connection, schema, row)
    report.end()
    return is_shown


def _report(report: Report, connection: SqlConnection, schema: str, row: Row) -> bool:
    row = in_one_table(connection, f"{schema}.cdc_changelog", row)
    table_is, key, table = row.table_is, row.key, row.table
    row_is = f"{table_is} and row_key = {sql_literal(key)}"
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
        f" from {schema}.cdc_current_rows where {row_is}",
    )
    if not current and all(operation == "truncate" for _, operation, *_ in changes):
        raise CdcError(_not_found(connection, schema, row))
    names = ["vendor", "operation", "position", "committed at", "read at", "key before", "key", "image", "warnings", "batch", "topic", "offset"]  # fmt: skip
    report.add("changes", f"Changes of {key} in {table} (cdc_changelog)", names, changes)
    versions = run_sql(
        connection,
        "select vendor, version_number, `row`, valid_from, valid_to, opened_by, closed_by, moved_from_row_key,"
        f" moved_to_row_key, change_count from {schema}.cdc_row_versions where {row_is} order by 2",
    )
    names = ["vendor", "version", "row", "from", "to", "opened by", "closed by", "moved from", "moved to", "changes"]  # fmt: skip
    report.add("versions", "Versions (cdc_row_versions)", names, versions)
    names = ["vendor", "row", "deleted", "partial", "last operation", "position", "committed at", "deleted at"]  # fmt: skip
    report.add("current", "Now (cdc_current_rows)", names, current)
    return bool(current)


def write_page(row: Row, schema: str, work_schema: str, path: Path) -> bool:
    """Write a row's life as an HTML page; return whether the marts show the row.

    Raises CdcError if there is no such row, if several tables have it, or if no server answers.
    """
    config = config_from_environment()
    with closing(connect(config.host, config.port)) as connection:
        row = in_one_table(connection, f"{schema}.cdc_changelog", row)
        life = read_life(connection, schema, work_schema, row)
        if not life["versions"] and all(
            change["operation"] == "truncate" for change in life["changes"]
        ):
            raise CdcError(_not_found(connection, schema, row))
    path.write_text(page(life))
    return life["current"] is not None

"""`cdc keys`: the tables whose changes wait because no key of theirs is known."""

from __future__ import annotations

from contextlib import closing

import click
from rich.console import Console

from cdc_changelog.client import connect, run_sql
from cdc_changelog.commands.console import Report, printable
from cdc_changelog.config import config_from_environment
from cdc_changelog.project import configuration_file


def show_tables_without_key(schema: str, work_schema: str, as_json: bool = False) -> None:
    """Print each table that waits for a key, the columns that it has, and a line to paste.

    `schema` has the marts, `work_schema` the working tables. Raises CdcError if no server answers.
    """
    config = config_from_environment()
    with closing(connect(config.host, config.port)) as connection:
        waiting = run_sql(
            connection,
            "with columns as ("
            "select vendor, source, schema_name, table_name,"
            " array_sort(array_distinct(flatten(collect_set(json_object_keys("
            "coalesce(after, before)))))) as names"
            f" from {work_schema}.int_events where status = 'pending' and reason = 'NO_KEY'"
            " group by all)"
            " select pending.vendor, pending.source, pending.schema_name, pending.table_name,"
            " count(*), array_join(any_value(columns.names), ', ')"
            f" from {schema}.cdc_pending_messages as pending left join columns"
            " on pending.vendor = columns.vendor and pending.source = columns.source"
            " and pending.schema_name is not distinct from columns.schema_name"
            " and pending.table_name = columns.table_name"
            " where pending.reason = 'NO_KEY' group by 1, 2, 3, 4 order by 1, 2, 3, 4",
        )
    report = Report(Console(highlight=False, stderr=as_json), as_json)
    names = ["vendor", "source", "schema", "table", "events", "columns"]
    report.add("tables_without_key", "Tables that wait for a key (NO_KEY)", names, waiting)
    report.end()
    if waiting and not as_json:
        path = configuration_file("cdc_tables")
        click.echo(f"Lines for {path}, where <key> stands for the key's columns:\n")
        for vendor, source, schema_name, table, *_ in waiting:
            click.echo(printable(f"{vendor},{source},{schema_name or ''},{table},<key>,,,"))

"""`cdc status`: what came in, what became of it, what waits and what was rejected."""

from __future__ import annotations

from contextlib import closing

from rich.console import Console

from cdc_changelog.client import SqlConnection, connect, run_sql
from cdc_changelog.commands.console import Report
from cdc_changelog.config import config_from_environment

# A line of run_configuration about a table.
CONFIGURED_TABLE = (
    "setting string, vendor string, source string, schema_name string, table_name string"
)
COUNTS = ["messages", "events", "changes", "segments", "duplicates", "control", "ignored", "rejected", "pending"]  # fmt: skip


def status(schema: str, work_schema: str, as_json: bool = False) -> None:
    """Print the health of every source.

    `schema` has the marts, `work_schema` the working tables. Raises CdcError if no server answers,
    or before the first build.
    """
    report = Report(Console(highlight=False, stderr=as_json), as_json)
    config = config_from_environment()
    with closing(connect(config.host, config.port)) as connection:
        _report(report, connection, schema, work_schema)
    report.end()


def _configured_lines(work_schema: str) -> str:
    """Return a select of the configuration of today: what was recorded last, and changed since."""
    recorded = f"{work_schema}.run_configuration"
    changes = f"{work_schema}.run_configuration_changes"
    return (
        f"select line from {changes} where is_new union all"
        f" select line from {recorded} where load_number = (select max(load_number) from {recorded})"
        f" and line not in (select line from {changes} where not is_new)"
    )


def _report(report: Report, connection: SqlConnection, schema: str, work_schema: str) -> None:
    sums = ", ".join(f"sum({name})" for name in COUNTS)
    sources = run_sql(
        connection,
        "select vendor, source, max(last_committed_at),"
        f" cast((unix_timestamp() - unix_timestamp(max(last_committed_at))) / 60 as bigint), {sums}"
        f" from {schema}.cdc_health group by vendor, source order by vendor, source",
    )
    counts = [(f"{vendor}/{source}", *row) for vendor, source, _, _, *row in sources]
    report.add("health", "cdc_health, by source", ["vendor/source", *COUNTS], counts)
    names = ["vendor", "source", "committed at (UTC)", "minutes ago"]
    report.add(
        "last_commits", "The last commit of each source", names, [row[:4] for row in sources]
    )
    for relation in ("cdc_rejected_messages", "cdc_pending_messages"):
        report.add(
            relation,
            f"{relation}, by reason",
            ["vendor", "source", "reason", "events", "for example"],
            run_sql(
                connection,
                "select vendor, source, reason, count(*), substr(min(reason_detail), 1, 100)"
                f" from {schema}.{relation} group by vendor, source, reason"
                " order by vendor, source, reason",
            ),
        )
    report.add(
        "implausible",
        "Tables with times or positions that cannot be (FUTURE_TIME, FUTURE_POSITION)",
        ["vendor", "source", "schema", "table", "times", "positions"],
        run_sql(
            connection,
            "select vendor, source, schema_name, table_name, future_times, future_positions"
            f" from {schema}.cdc_health where future_times + future_positions > 0"
            " order by 1, 2, 3, 4",
        ),
    )
    report.add(
        "cast_errors",
        "Rows of typed tables with values that cannot be cast (cdc_typed_tables)",
        ["vendor", "source", "schema", "table", "rows"],
        run_sql(
            connection,
            "select vendor, source, schema_name, table_name, cast_errors"
            f" from {schema}.cdc_health where cast_errors > 0 order by 1, 2, 3, 4",
        ),
    )
    report.add(
        "unmatched_lines",
        "Lines of cdc_tables that match no message so far",
        ["vendor", "source", "schema", "table"],
        run_sql(
            connection,
            "select distinct line.vendor, line.source, line.schema_name, line.table_name"
            f" from (select from_json(line, '{CONFIGURED_TABLE}') as line from"
            f" ({_configured_lines(work_schema)}))"
            f" left anti join {schema}.cdc_health as health"
            " on trim(line.vendor) = health.vendor"
            " and trim(line.table_name) = health.table_name"
            " and trim(line.source) in ('*', health.source)"
            " and coalesce(nullif(trim(line.schema_name), ''), '*') in ('*', health.schema_name)"
            " where line.setting in ('cdc_tables', 'history_ignored_columns')"
            " order by 1, 2, 3, 4",
        ),
    )
    if run_sql(connection, f"show tables in {work_schema} like 'int_batch_log'"):
        report.add(
            "landing_batches",
            "Landing batches at which runs died, or that are set aside",
            ["vendor", "batch", "last noted", "at (UTC)", "runs that died"],
            run_sql(
                connection,
                "select vendor, landing_batch, max_by(event, noted_at), max(noted_at),"
                f" count_if(event = 'died') from {work_schema}.int_batch_log as noted"
                f" left anti join {work_schema}.int_events as events"
                " using (vendor, landing_batch) group by vendor, landing_batch order by 1, 2",
            ),
        )
    report.add(
        "changed_tables",
        "The last ten changes of columns (cdc_table_schemas)",
        ["vendor", "source", "schema", "table", "since (UTC)", "added", "removed", "changed"],
        run_sql(
            connection,
            "select vendor, source, schema_name, table_name, first_committed_at,"
            " array_join(columns_added, ', '), array_join(columns_removed, ', '),"
            f" array_join(columns_changed, ', ') from {schema}.cdc_table_schemas where"
            " size(array_union(array_union(columns_added, columns_removed), columns_changed)) > 0"
            " order by first_committed_at desc nulls last, vendor, source, table_name limit 10",
        ),
    )
    report.add(
        "tables_without_key",
        "Tables that wait for a line of cdc_tables (NO_KEY)",
        ["vendor", "source", "schema", "table", "events"],
        run_sql(
            connection,
            "select vendor, source, schema_name, table_name, count(*)"
            f" from {schema}.cdc_pending_messages where reason = 'NO_KEY'"
            " group by 1, 2, 3, 4 order by 1, 2, 3, 4",
        ),
    )

"""`make status`: what came in, what became of it, what waits and what was rejected."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from cdc_changelog.client import connect, run_sql
from cdc_changelog.commands.console import Report, add_report_options
from cdc_changelog.config import CdcError, config_from_environment
from cdc_changelog.project import work_schema

COUNTS = ["messages", "events", "changes", "segments", "duplicates", "control", "ignored", "rejected", "pending"]  # fmt: skip


def main() -> int:
    """Print the health of every source; return 1 without a server or before the first build."""
    parser = argparse.ArgumentParser(prog="make status", description=__doc__)
    add_report_options(parser)
    parser.add_argument(
        "--work-schema",
        default=work_schema(),
        help="the schema of the working tables (cdc_work_schema of the project)",
    )
    arguments = parser.parse_args()
    schema = arguments.schema
    console = Console(highlight=False, stderr=arguments.json)
    report = Report(console, arguments.json)
    try:
        config = config_from_environment()
        connection = connect(config.host, config.port)
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
            "unmatched_lines",
            "Lines of cdc_tables that match no message so far",
            ["vendor", "source", "schema", "table"],
            run_sql(
                connection,
                "select vendor, source, schema_name, table_name"
                f" from {arguments.work_schema}.cdc_tables as line left anti join {schema}.cdc_health"
                " as health on trim(line.vendor) = health.vendor"
                " and trim(line.table_name) = health.table_name"
                " and trim(line.source) in ('*', health.source)"
                " and coalesce(nullif(trim(line.schema_name), ''), '*') in ('*', health.schema_name)"
                " order by 1, 2, 3, 4",
            ),
        )
        if run_sql(connection, f"show tables in {arguments.work_schema} like 'int_batch_log'"):
            report.add(
                "landing_batches",
                "Landing batches at which runs died, or that are set aside",
                ["vendor", "batch", "last noted", "at (UTC)", "deaths"],
                run_sql(
                    connection,
                    "select vendor, landing_batch, max_by(event, noted_at), max(noted_at),"
                    f" count_if(event = 'died') from {arguments.work_schema}.int_batch_log as noted"
                    f" left anti join {arguments.work_schema}.int_events as events"
                    " using (vendor, landing_batch) group by vendor, landing_batch order by 1, 2",
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
    except CdcError as error:
        console.print(f"error: {error}", style="red", markup=False)
        return 1
    report.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())

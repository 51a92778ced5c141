"""`make demo`: a sample of every vendor and the fixture scenario, from raw text to current rows and history.

Safe to run again: what is landed stays landed, and a run with nothing new changes nothing.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from rich.console import Console

from cdc_changelog.client import SqlConnection, connect, run_sql
from cdc_changelog.commands.console import show
from cdc_changelog.config import HOME, PACKAGE_PROJECT, CdcError, config_from_environment
from cdc_changelog.landing.files import land_files
from cdc_changelog.project import run_dbt
from cdc_changelog.server.background import running_server

SAMPLES = PACKAGE_PROJECT / "tests" / "python" / "vendors"


def dbt(*arguments: str) -> None:
    """Run a dbt command on the demo's server and show what goes wrong, if anything does."""
    result = run_dbt(
        *arguments,
        variables={"cdc_fixtures": True},
        target=HOME / "target" / "demo",
        project=PACKAGE_PROJECT,
    )
    if result.returncode != 0:
        print(result.stdout[-4000:] + result.stderr[-2000:], file=sys.stderr)
        raise SystemExit(f"dbt {arguments[0]} failed; the whole text is in logs/dbt.log")


def sample_file(vendor_folder: Path) -> Path:
    """Return a vendor's first sample file of which a message becomes a change.

    Where none does, since files name no table and the vendor's messages do not either, it is the
    first one of which a message waits: the tour says what for.
    """
    samples = vendor_folder / "samples"
    lines = json.loads((samples / "expected.json").read_text())
    for status in ("change", "pending"):
        for line in lines:
            if any(event["status"] == status for event in line["events"]):
                return samples / str(line["file"])
    raise CdcError(f"No line of {samples / 'expected.json'} becomes a change or waits.")


def land_samples(console: Console, connection: SqlConnection, table_format: str) -> bool:
    """Land a sample file of every vendor, each a source of its own; say if any was new."""
    is_new = False
    for folder in sorted(path for path in SAMPLES.iterdir() if (path / "samples").is_dir()):
        file = sample_file(folder)
        landing = land_files(
            connection, folder.name, f"sample_{file.stem}", [file], table_format=table_format
        )
        is_new = is_new or landing.messages > 0
    console.print("A sample file of each vendor is landed.\n")
    return is_new


def is_built(connection: SqlConnection) -> bool:
    """Return whether an earlier demo came to its end: its typed tables are there."""
    schemas = {row[0] for row in run_sql(connection, "show schemas")}
    tables = (
        {row[1] for row in run_sql(connection, "show tables in cdc")} if "cdc" in schemas else set()
    )
    return "orders_history" in tables


def tour(console: Console, connection: SqlConnection) -> None:
    """Show what became of the messages."""
    show(
        console,
        "What came in, and what became of it (cdc_health)",
        ["vendor", "messages", "events", "changes", "segments", "duplicates", "control", "ignored", "rejected", "pending"],
        run_sql(
            connection,
            "select vendor, sum(messages), sum(events), sum(changes), sum(segments), sum(duplicates), sum(control),"
            " sum(ignored), sum(rejected), sum(pending) from cdc.cdc_health group by vendor order by vendor",
        ),
    )  # fmt: skip
    total = run_sql(connection, "select sum(messages) from cdc.cdc_health")[0][0]
    console.print(f"{total} messages in all.\n")
    vendor = run_sql(
        connection, "select min(vendor) from cdc.cdc_current_rows where source = 'fixtures'"
    )[0][0]
    key = run_sql(
        connection,
        "select max_by(row_key, struct(version_count, row_key)) from cdc.cdc_current_rows"
        f" where source = 'fixtures' and table_name = 'orders' and vendor = '{vendor}'",
    )[0][0]
    one_row = f"source = 'fixtures' and table_name = 'orders' and vendor = '{vendor}' and row_key = '{key}'"
    show(
        console,
        f"One order now: {key} of table orders, as {vendor} sends it (cdc_current_rows)",
        ["row", "is_deleted", "operation", "committed_at", "version_count"],
        run_sql(
            connection,
            "select `row`, is_deleted, operation, committed_at, version_count"
            f" from cdc.cdc_current_rows where {one_row}",
        ),
    )
    show(
        console,
        "Its history (cdc_row_versions)",
        ["version", "row", "valid_from", "valid_to", "opened_by", "closed_by"],
        run_sql(
            connection,
            "select version_number, `row`, valid_from, valid_to, opened_by, closed_by"
            f" from cdc.cdc_row_versions where {one_row} order by version_number",
        ),
    )
    show(
        console,
        "Can never be read, and why (cdc_rejected_messages)",
        ["reason", "events", "vendors", "for example"],
        run_sql(
            connection,
            "select reason, count(*), array_join(sort_array(collect_set(vendor)), ', '),"
            " substr(min(value), 1, 40) from cdc.cdc_rejected_messages"
            " group by reason order by count(*) desc, reason limit 6",
        ),
    )
    show(
        console,
        "Waits, and for what (cdc_pending_messages)",
        ["vendor", "source", "reason", "events", "detail"],
        run_sql(
            connection,
            "select vendor, source, reason, count(*), substr(min(reason_detail), 1, 70)"
            " from cdc.cdc_pending_messages group by vendor, source, reason order by vendor, source, reason",
        ),
    )
    console.print(
        "The same with documentation and lineage: [bold]make docs[/] (while `make serve` runs)."
    )
    console.print(
        "Your own messages: [bold]make serve[/], [bold]make land VENDOR=… SOURCE=… FILES=…[/], [bold]make build[/]."
    )


def main() -> int:
    """Run the tour; return 0 if everything was built."""
    console = Console(highlight=False, width=100)
    started = time.monotonic()
    try:
        config = config_from_environment()
        console.print("Starting a Spark Thrift server of the demo's own …")
        with running_server(config):
            connection = connect(config.host, config.port)
            if land_samples(console, connection, config.table_format) or not is_built(connection):
                console.print("Building with dbt: seeds, models …")
                command = ["build", "--exclude", "resource_type:test", "resource_type:unit_test"]
            else:
                console.print("Nothing new has landed since the last demo. Running the models …")
                command = ["run"]
            began = time.monotonic()
            dbt(*command)
            console.print(f"Built in {time.monotonic() - began:.0f} s.\n")
            tour(console, connection)
    except CdcError as error:
        console.print(f"error: {error}", style="red", markup=False)
        return 1
    console.print(f"\nDone in {time.monotonic() - started:.0f} s.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

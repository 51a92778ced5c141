"""`cdc`: the commands of the package, in a checkout and in a project that installs it."""

from __future__ import annotations

import os
import sys
import uuid
from pathlib import Path
from typing import Any

import click

from cdc_changelog.config import PROJECT, config_from_environment
from cdc_changelog.project import (
    known_vendors,
    public_schema,
    raw_schema,
    run_dbt,
    work_schema,
)

HELP = {"help_option_names": ["-h", "--help"], "max_content_width": 100}
# Arguments that go to dbt as they are.
FOR_DBT: dict[str, Any] = {"ignore_unknown_options": True, "allow_interspersed_args": False}
VENDORS = click.Choice(known_vendors())
schema_option = click.option(
    "--schema", default=public_schema, metavar="SCHEMA", help="The schema of the marts."
)
work_schema_option = click.option(
    "--work-schema", default=work_schema, metavar="SCHEMA", help="The schema of the working tables."
)
# What a row's table is told from others of its name by.
vendor_option = click.option(
    "--vendor", type=VENDORS, help="Where feeds of several vendors have one name."
)
database_option = click.option(
    "--table-database", metavar="NAME", help="Where tables of several databases have one name."
)
table_schema_option = click.option(
    "--table-schema", metavar="NAME", help="Where tables of several schemas have one name."
)
json_option = click.option(
    "--json", "as_json", is_flag=True, help="One JSON document, for other programs."
)


@click.group(context_settings=HELP)
@click.version_option(package_name="cdc-changelog", prog_name="cdc")
def cdc() -> None:
    """One changelog, current rows and history out of the CDC messages of several vendors.

    Commands work on the dbt project in the folder that you are in. The server is found by
    CDC_THRIFT_HOST and CDC_THRIFT_PORT (127.0.0.1, 10000).
    """


@cdc.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--name", help="The project's name; by default that of the folder.")
def init(folder: Path, name: str | None) -> None:
    """Make a dbt project in FOLDER that installs this package."""
    from cdc_changelog.commands.init import make_project

    make_project(folder, name)


@cdc.command()
@click.option("--background", "action", flag_value="start", help="Start it, and come back.")
@click.option("--stop", "action", flag_value="stop", help="Stop the one in the background.")
@click.option("--status", "action", flag_value="status", help="Say whether one runs.")
@click.option("--stop-with-parent", is_flag=True, help="End when the process that started it ends.")
def serve(action: str | None, stop_with_parent: bool) -> None:
    """Run a local Spark Thrift server, in the foreground until Ctrl-C."""
    from cdc_changelog.server import background

    config = config_from_environment()
    if action == "start":
        waited = background.start(config)
        click.echo(f"The server on {config.host}:{config.port} answers ({waited:.1f} s).")
    elif action == "stop":
        click.echo("The server stopped." if background.stop(config) else "No server was running.")
    elif action == "status":
        click.echo(background.status_text(config))
        sys.exit(0 if background.running_pid(config) is not None else 1)
    else:
        # In a process of its own, whose signals are the server's.
        command = [sys.executable, "-m", "cdc_changelog.server.serve"]
        os.execv(command[0], command + ["--stop-with-parent"] * stop_with_parent)


@cdc.command()
@click.argument("vendor", type=VENDORS)
@click.argument("source")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--raw-schema", default=raw_schema, metavar="SCHEMA")
@click.option("--take-over", is_flag=True, help="Ignore a landing of this content that is dead.")
@click.option("--force", is_flag=True, help="Land files whose sample looks like a mistake.")
def land(
    vendor: str,
    source: str,
    files: tuple[Path, ...],
    raw_schema: str,
    take_over: bool,
    force: bool,
) -> None:
    """Land FILES of JSON, one message body a line, gzip too.

    SOURCE is the name of the feed that they come from. The same content is landed once.
    """
    from cdc_changelog.landing.files import land_and_say

    config = config_from_environment()
    land_and_say(config, vendor, source, files, raw_schema, take_over=take_over, force=force)


def _build(command: str, dbt_arguments: tuple[str, ...]) -> None:
    from cdc_changelog.commands.build import build_what_is_new
    from cdc_changelog.server.ready import wait_until_ready

    wait_until_ready(config_from_environment(), timeout_seconds=10)
    sys.exit(build_what_is_new(command, dbt_arguments))


@cdc.command(context_settings=FOR_DBT)
@click.argument("dbt_arguments", nargs=-1, type=click.UNPROCESSED)
def build(dbt_arguments: tuple[str, ...]) -> None:
    """Build the models and run their data tests; nothing where nothing is new."""
    _build("build", dbt_arguments)


@cdc.command(context_settings=FOR_DBT)
@click.argument("dbt_arguments", nargs=-1, type=click.UNPROCESSED)
def run(dbt_arguments: tuple[str, ...]) -> None:
    """Build the models without data tests, for every few minutes."""
    _build("run", dbt_arguments)


@cdc.command()
@schema_option
@work_schema_option
@json_option
def status(schema: str, work_schema: str, as_json: bool) -> None:
    """Show what came in, what became of it, what waits and what was rejected."""
    from cdc_changelog.commands.status import status as show_status

    show_status(schema, work_schema, as_json)


@cdc.command()
@click.argument("row", default=lambda: os.environ.get("EXPLAIN_ROW", ""))
@schema_option
@work_schema_option
@json_option
@click.option(
    "--html", type=click.Path(path_type=Path), help="Write it to this file as a page, with more."
)
@vendor_option
@database_option
@table_schema_option
def explain(
    row: str,
    schema: str,
    work_schema: str,
    as_json: bool,
    html: Path | None,
    vendor: str | None,
    table_database: str | None,
    table_schema: str | None,
) -> None:
    """Show the life of one ROW, `<source>/<table>/<key>`: shop/orders/1001.

    The values of a key of several columns are joined by commas.
    """
    from cdc_changelog.commands.explain import explain as explain_row
    from cdc_changelog.commands.explain import parse_row, write_page

    named = parse_row(row, vendor, table_database, table_schema)
    if html is None:
        is_shown = explain_row(named, schema, as_json)
    else:
        is_shown = write_page(named, schema, work_schema, html)
        click.echo(f"wrote {html}")
    sys.exit(0 if is_shown else 1)


@cdc.command()
@schema_option
@work_schema_option
@json_option
def keys(schema: str, work_schema: str, as_json: bool) -> None:
    """List the tables that wait for a key, with a line of configuration to paste."""
    from cdc_changelog.commands.keys import show_tables_without_key

    show_tables_without_key(schema, work_schema, as_json)


@cdc.command()
@click.argument("table", metavar="SOURCE.TABLE")
@schema_option
@click.option(
    "--folder",
    type=click.Path(path_type=Path),
    default=PROJECT / "models" / "tables",
    help="Where the models are written; models/tables of the project.",
)
@click.option("--name", help="Name of the model; by default that of the table.")
@click.option("--force", is_flag=True, help="Write files that are there and differ.")
def table(table: str, schema: str, folder: Path, name: str | None, force: bool) -> None:
    """Write models of a table with real columns, its history and their descriptions.

    Columns and types come from the messages where they say them, else from the values seen. A file
    that is there is not overwritten: the difference is shown.
    """
    from cdc_changelog.commands.table import write_table

    sys.exit(write_table(table, schema, folder, name, force))


@cdc.command()
@click.argument("row", metavar="ROW")
@work_schema_option
@click.option("--reason", required=True, help="Why; it is kept with the emptied events.")
@vendor_option
@database_option
@table_schema_option
@click.option("--yes", is_flag=True, help="Do not ask.")
def erase(
    row: str,
    work_schema: str,
    reason: str,
    vendor: str | None,
    table_database: str | None,
    table_schema: str | None,
    yes: bool,
) -> None:
    """Take the values of one ROW out of raw messages, event store and history.

    ROW is `<source>/<table>/<key>`, as for explain. Rows that it moved from or to by a change of
    its key are erased with it; keys are kept as hashes.
    """
    from cdc_changelog.commands.erase import erase as erase_row
    from cdc_changelog.commands.explain import parse_row

    erase_row(parse_row(row, vendor, table_database, table_schema), work_schema, reason, yes)


def _dbt(*words: str, variables: dict[str, Any] | None = None) -> None:
    from cdc_changelog.commands.build import install_packages
    from cdc_changelog.lock import give_back_lock
    from cdc_changelog.server.ready import wait_until_ready

    config = config_from_environment()
    wait_until_ready(config, timeout_seconds=10)
    install_packages()
    run_name = f"cdc-{uuid.uuid4()}"
    done = run_dbt(*words, variables=variables, environment={"CDC_RUN": run_name}, is_shown=True)
    if done.returncode:
        # An operation that fails midway leaves the lock behind.
        give_back_lock(config, run_name, is_interrupted=False)
    sys.exit(done.returncode)


@cdc.command(context_settings=FOR_DBT)
@click.argument("dbt_arguments", nargs=-1, type=click.UNPROCESSED)
def rebuild(dbt_arguments: tuple[str, ...]) -> None:
    """Read all raw messages again, after a change of keys or epochs."""
    _dbt("build", "--exclude", "test_type:unit", *dbt_arguments, variables={"cdc_rebuild": True})


@cdc.command()
def maintain() -> None:
    """Compact the tables, empty replaced events, drop old snapshots: daily."""
    _dbt("run-operation", "cdc_changelog.cdc_maintain")


@cdc.command()
def unlock() -> None:
    """Free the lock that a killed run left behind."""
    _dbt("run-operation", "cdc_changelog.cdc_unlock")


def _about_a_batch(operation: str, vendor: str, batch: int) -> None:
    arguments = f'{{vendor: "{vendor}", landing_batch: "{batch}"}}'
    _dbt("run-operation", f"cdc_changelog.{operation}", "--args", arguments)


@cdc.command("try-again")
@click.argument("vendor", type=VENDORS)
@click.argument("batch", type=int)
def try_again(vendor: str, batch: int) -> None:
    """Let the next run read a landing BATCH at which runs died."""
    _about_a_batch("cdc_try_again", vendor, batch)


@cdc.command("set-aside")
@click.argument("vendor", type=VENDORS)
@click.argument("batch", type=int)
def set_aside(vendor: str, batch: int) -> None:
    """Leave a landing BATCH unread; its messages stay in the raw table."""
    _about_a_batch("cdc_set_aside", vendor, batch)


@cdc.command("dbt", context_settings=FOR_DBT)
@click.argument("dbt_arguments", nargs=-1, type=click.UNPROCESSED)
def run_dbt_itself(dbt_arguments: tuple[str, ...]) -> None:
    """Run dbt on the project, with the profile and the package found."""
    sys.exit(run_dbt(*dbt_arguments, is_shown=True).returncode)


@cdc.command()
def demo() -> None:
    """Do everything once, on sample messages, with a server of its own."""
    from cdc_changelog.commands.demo import main

    sys.exit(main())


@cdc.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what lets a shell complete the commands: eval "$(cdc completion bash)"."""
    from click.shell_completion import get_completion_class

    complete = get_completion_class(shell)
    assert complete is not None
    click.echo(complete(cdc, {}, "cdc", "_CDC_COMPLETE").source())

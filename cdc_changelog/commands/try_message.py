"""`make try VENDOR=… FILES=…`: how messages are read, event by event, with the SQL as it is now.

The messages land in schemas of their own (cdc_try…) on the server of the tests, the vendor's
staging models are built, and every event that comes out is printed with the columns that it has. A
file is one JSON message, or JSON lines; without FILES the messages are read from standard input.

`make unit-test ONE=…` builds what the dbt unit tests with ONE in their names are about, empty, and
runs them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.text import Text

from cdc_changelog.client import SqlConnection, connect, run_sql
from cdc_changelog.commands.console import printable
from cdc_changelog.config import HOME, CdcError, config_from_environment
from cdc_changelog.landing.bodies import Message
from cdc_changelog.landing.raw_tables import land
from cdc_changelog.project import models_folder, run_dbt, specs

SCHEMAS = {
    "cdc_raw_schema": "cdc_try_raw",
    "cdc_schema": "cdc_try",
    "cdc_work_schema": "cdc_try_work",
}
TARGET = HOME / ".local" / "try" / "target"  # so that dbt parses again only what has changed
WHERE_IT_LIES = ("source", "landing_batch", "topic", "partition", "stored_event")


def bodies_of(text: str) -> list[str]:
    """Return the messages of a text: the text itself where it is one JSON value, else its lines.

    >>> bodies_of('{"a": 1}')
    ['{"a": 1}']
    >>> bodies_of('{"a": 1}\\n\\n{"b": 2}\\n')
    ['{"a": 1}', '{"b": 2}']
    """
    try:
        json.loads(text)
    except ValueError:
        return [line for line in text.splitlines() if line.strip()]
    return [text.strip()]


def _dbt(*words: str, is_shown: bool = True) -> subprocess.CompletedProcess[str]:
    """Run dbt with the schemas and the folder that are this module's own."""
    return run_dbt(
        "--quiet",
        *words,
        variables=SCHEMAS,
        target=TARGET,
        is_shown=is_shown,
        project=models_folder(),
    )


def _build(*models: str) -> int:
    """Build models, all that they read and the configuration; return dbt's exit code."""
    selected = ["path:seeds/config", *(f"+{model}" for model in models)]
    left_out = ("--exclude", "test_type:unit", "test_type:data")
    return _dbt("build", "--select", *selected, *left_out).returncode


def _drop_schemas(connection: SqlConnection) -> None:
    """Begin anew: what an earlier state of the project built may have other columns."""
    for schema in SCHEMAS.values():
        run_sql(connection, f"drop schema if exists {schema} cascade")


def _show(console: Console, number: int, names: list[str], row: tuple[Any, ...]) -> None:
    """Print an event, a column on each line."""
    columns = {
        name: value
        for name, value in zip(names, row, strict=True)
        if value is not None and name not in WHERE_IT_LIES
    }
    width = max(map(len, columns))
    console.print(Text(f"event {number}", style="bold"))
    for name, value in columns.items():
        console.print(Text(f"  {name:<{width}}  {printable(value)}"), soft_wrap=True)
    console.print()


def try_messages(console: Console, vendor: str, bodies: list[str]) -> int:
    """Read messages with the vendor's staging models, and print what comes out; return 0 or 1."""
    config = config_from_environment()
    model = next(spec["changes_model"] for spec in specs() if spec["name"] == vendor)
    with closing(connect(config.host, config.port)) as connection:
        _drop_schemas(connection)
        messages = [
            Message(value=body, topic="try", partition=0, offset=number)
            for number, body in enumerate(bodies)
        ]
        raw_schema = SCHEMAS["cdc_raw_schema"]
        land(
            connection,
            vendor,
            "try",
            messages,
            raw_schema=raw_schema,
            table_format=config.table_format,
        )
        if code := _build(model):
            return code
        relation = f"{SCHEMAS['cdc_work_schema']}.{model}"
        names = [str(row[0]) for row in run_sql(connection, f"describe {relation}")]
        order = [name for name in ("offset", "event_index", "table_index") if name in names]
        events = run_sql(connection, f"select * from {relation} order by `{'`, `'.join(order)}`")
    for number, row in enumerate(events):
        _show(console, number, names, row)
    console.print(f"{len(bodies)} messages of {vendor} are {len(events)} events.")
    return 0


def run_unit_tests(console: Console, part: str) -> int:
    """Run the dbt unit tests whose names hold a text; return dbt's exit code."""
    found: dict[str, set[str]] = {}
    words = ["ls", "--resource-type", "unit_test", "--output", "json"]
    words += ["--output-keys", "name", "model"]
    listed = _dbt(*words, is_shown=False)
    listed.check_returncode()
    for line in listed.stdout.splitlines():
        test = json.loads(line)
        if part in test["name"]:
            found.setdefault(test["model"], set()).add(test["name"])
    if not found:
        console.print(f"No unit test has {part!r} in its name.")
        return 1
    config = config_from_environment()
    with closing(connect(config.host, config.port)) as connection:
        _drop_schemas(connection)
    if code := _build(*found):
        return code
    names = sorted(name for names in found.values() for name in names)
    code = _dbt("test", "--select", *names).returncode
    verdict = "failed, see above" if code else "passed"
    console.print(f"{len(names)} unit tests {verdict}: {', '.join(names)}")
    return code


def main() -> int:
    """Run the command; return 0, or 1 where something failed."""
    parser = argparse.ArgumentParser(prog="make try", description=__doc__)
    parser.add_argument(
        "--unit-tests", metavar="PART", help="run unit tests with this in their names"
    )
    arguments = parser.parse_args()
    console = Console(highlight=False)
    try:
        if arguments.unit_tests:
            return run_unit_tests(console, arguments.unit_tests)
        vendor = os.environ.get("LAND_VENDOR", "")
        vendors = [spec["name"] for spec in specs()]
        if vendor not in vendors:
            console.print(f"VENDOR is {vendor!r}; expected one of {', '.join(vendors)}.")
            return 2
        files = os.environ.get("LAND_FILES", "").split()
        texts = [Path(file).read_text() for file in files] or [sys.stdin.read()]
        return try_messages(console, vendor, [body for text in texts for body in bodies_of(text)])
    except CdcError as error:
        console.print(f"[red]error:[/] {error}")
        return 1


if __name__ == "__main__":
    sys.exit(main())

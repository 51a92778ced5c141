"""What a server of 4 GB holds: inputs at the limits of docs/reliability.md, each on a server of its own.

    python -m benchmarks.savegress.limits                          # all cases
    python -m benchmarks.savegress.limits large_messages tables    # some of them

Messages are made and landed by one server; another one, fresh, runs the package, and its memory is
measured. What comes out is counted: a case whose marts are wrong is an error.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from benchmarks.benchmark_server import (
    PACKAGE,
    RAW,
    WORK,
    BenchmarkServer,
    WrongResultError,
    open_benchmark_server,
)
from benchmarks.measure import peak_megabytes_of_workers
from cdc_changelog.client import connect
from cdc_changelog.config import CdcError, ServerConfig, config_from_environment
from cdc_changelog.landing.raw_tables import create_raw_table
from cdc_changelog.server.locks import free_port

MEMORY = "4g"
VENDOR = Path(__file__).parent.name
LARGEST_MESSAGE = 4_000_000  # bytes: the default of cdc_largest_message
# A Savegress event; names in braces are SQL expressions over `id`, a number from 0 on.
EVENT = (
    """concat('{{"id":"e', id, '","source":"postgres","schema":"public","table":"', {table},"""
    """ '","operation":"{operation}","timestamp":"2024-07-01T00:00:00Z","transaction_id":"', {transaction},"""
    """ '","position":{{"lsn":"60/', hex(id + 16), '","sequence":1}},"after":{{"id":"', {key}, '",', {columns},"""
    """ '}},"metadata":{{"database":"p","server":"s"}}}}')"""
)


def _event(
    key: str,
    columns: str,
    table: str = "'one'",
    operation: str = "INSERT",
    transaction: str = "id",
) -> str:
    return EVENT.format(
        key=key, columns=columns, table=table, operation=operation, transaction=transaction
    )


@dataclass(frozen=True)
class Case:
    """An input, how many messages it is, and what has to come of it: changes, rows, versions."""

    sentence: str
    messages: int
    body: str  # SQL over `id`
    expected: tuple[int, int, int]
    key: str = "id"


CASES = {
    "large_messages": Case(
        f"a hundred messages of {LARGEST_MESSAGE:,} bytes in one batch",
        100,
        # As many bytes as are allowed, give or take the digits of the numbers in it.
        _event(
            "id", f"'\"text\":\"', repeat('abcdefgh\\u00e9', {(LARGEST_MESSAGE - 400) // 10}), '\"'"
        ),
        (100, 100, 100),
    ),
    "partial_changes": Case(
        "1,000,000 partial changes of one row",
        1_000_000,
        _event("'k'", "'\"v\":', id", operation="UPDATE"),
        (1_000_000, 1, 1_000_000),
    ),
    "one_transaction": Case(
        "200,000 changes in one transaction",
        200_000,
        _event("id", "'\"v\":', id", transaction="'t'"),
        (200_000, 200_000, 200_000),
    ),
    "tables": Case(
        "10,000 tables of three rows",
        30_000,
        _event("id", "'\"v\":', id", table="concat('t', id % 10000)"),
        (30_000, 30_000, 30_000),
        key="*",
    ),
    "columns": Case(
        "100 rows of 10,000 columns, each changed once in part",
        200,
        _event(
            "id % 100",
            "array_join(transform(sequence(1, if(id < 100, 10000, 5000)), n -> concat('\"column_', n, '\":', id)), ',')",
            operation="UPDATE",
        ),
        (200, 100, 200),
    ),
}


def _land(benchmark_server: BenchmarkServer, case: Case) -> None:
    """Make the messages of a case and land them as one batch."""
    config = benchmark_server.config
    benchmark_server.clear(PACKAGE, WORK, RAW)
    create_raw_table(connect(config.host, config.port), VENDOR, RAW, config.table_format)
    benchmark_server.sql(
        f"insert into {RAW}.{VENDOR} (value, source, topic, `partition`, `offset`, landing_batch)"
        f" select {case.body}, 'limits', 'limits', 0, id, 1 from range(0, {case.messages}, 1, 2)"
    )


def _configure(benchmark_server: BenchmarkServer, case: Case) -> None:
    benchmark_server.dbt("seed")
    tables = "concat('t', id)" if case.key == "*" else "'one'"
    count = 10_000 if case.key == "*" else 1
    benchmark_server.sql(
        f"insert into {WORK}.cdc_tables select '{VENDOR}', '*', '*', {tables}, 'id', null, null, null"
        f" from range({count})"
    )


def _found(benchmark_server: BenchmarkServer) -> tuple[int, ...]:
    row = benchmark_server.spark.sql(
        f"select (select count(*) from {PACKAGE}.cdc_changelog) as changes,"
        f" (select count(*) from {PACKAGE}.cdc_current_rows) as current_rows,"
        f" (select count(*) from {PACKAGE}.cdc_row_versions) as versions"
    ).collect()[0]
    return tuple(row)


def prepare(config: ServerConfig, case: Case) -> None:
    """Make the messages of a case, land them and configure the package."""
    with open_benchmark_server(config) as benchmark_server:
        _land(benchmark_server, case)
        _configure(benchmark_server, case)


def measure(config: ServerConfig, case: Case, say: Callable[[str], None]) -> None:
    """Run the package on what was landed, and say what it took.

    Raises WrongResultError where the run fails or its marts are wrong.
    """
    with open_benchmark_server(config) as benchmark_server:
        with benchmark_server.measured() as cost:
            benchmark_server.dbt("run")
        workers = peak_megabytes_of_workers(benchmark_server.jvm)
        if (found := _found(benchmark_server)) != case.expected:
            raise WrongResultError(
                f"{case.sentence}: {found} changes, rows and versions; expected {case.expected}"
            )
    say(
        f"{case.sentence}: {cost.wall_seconds:.0f} s, {cost.cpu_seconds:.0f} CPU s,"
        f" Java {cost.peak_megabytes:,.0f} MB, largest Python worker {workers:,.0f} MB"
    )


def main(given: Iterable[str] | None = None) -> int:
    """Measure the cases that are named, or all; return 1 where one fails."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.savegress.limits",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("cases", nargs="*", metavar="CASE", help=f"of {', '.join(CASES)}")
    parser.add_argument("--step", choices=["prepare", "measure"], help=argparse.SUPPRESS)
    arguments = parser.parse_args(None if given is None else list(given))
    if unknown := set(arguments.cases) - set(CASES):
        parser.error(f"no case is {', '.join(sorted(unknown))}; expected {', '.join(CASES)}")
    if arguments.step is None:
        # Spark starts once in a process.
        steps = [
            [sys.executable, "-m", "benchmarks.savegress.limits", name, "--step", step]
            for name in arguments.cases or CASES
            for step in ("prepare", "measure")
        ]
        return max(subprocess.run(step, check=False).returncode for step in steps)
    console = Console(highlight=False, soft_wrap=True)
    config = replace(config_from_environment(), driver_memory=MEMORY, port=free_port())
    [name] = arguments.cases
    try:
        if arguments.step == "prepare":
            prepare(config, CASES[name])
        else:
            measure(config, CASES[name], console.print)
    except (WrongResultError, CdcError) as error:
        console.print(f"{CASES[name].sentence}: {error}", style="red", markup=False)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Land JSONL files, one body a line, gzip too, through the running Thrift server.

    python -m cdc_changelog.landing.files --vendor V --source S PATHS…

The same content is landed once per vendor and source, however often this is called. A sample of
each file is looked at first (sample.py); what bodies mean is for the models to say. Without
arguments, `make land` gives them as the variables LAND_VENDOR, LAND_SOURCE and LAND_FILES.
"""

from __future__ import annotations

import argparse
import glob
import os
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cdc_changelog.client import SqlConnection, connect
from cdc_changelog.config import CdcError, ServerConfig, config_from_environment
from cdc_changelog.landing.bodies import BodyFile, LandingError, Message, inspect_file, read_bodies
from cdc_changelog.landing.ledger import (
    ABANDONED,
    LANDED,
    Ledger,
    earlier_claim,
    landed_hashes,
    open_claims,
)
from cdc_changelog.landing.leftovers import clear_folders, clear_tables
from cdc_changelog.landing.raw_tables import (
    DEFAULT_RAW_SCHEMA,
    LOCAL_HOSTS,
    append_messages,
    check_name,
    create_raw_table,
)
from cdc_changelog.landing.sample import check_file
from cdc_changelog.project import known_vendors, raw_schema, specs


@dataclass(frozen=True)
class LandingResult:
    """What one invocation did; `landing_batch` is None if nothing was new."""

    landing_batch: int | None
    landed: tuple[BodyFile, ...]
    skipped: tuple[BodyFile, ...]
    messages: int


def land_files(
    connection: SqlConnection,
    vendor: str,
    source: str,
    paths: Iterable[Path],
    *,
    raw_schema: str = DEFAULT_RAW_SCHEMA,
    table_format: str = "delta",
    staging_dir: Path | None = None,
    take_over: bool = False,
    force: bool = False,
    on_body: Callable[[int], None] = lambda bodies: None,
    report: Callable[[str], None] = lambda text: None,
) -> LandingResult:
    """Land the files that are new for this vendor and source, all in one batch.

    `on_body` is called with the number of all bodies read so far. Raises LandingError; then
    either the whole batch is landed (and the next call finds that out) or nothing of it.
    """
    files = [inspect_file(path) for path in paths]
    if not source.strip():
        raise LandingError("source is empty; give the feed a name, it scopes positions and ids.")
    if not force:
        of_all_vendors = specs()
        for file in files:
            check_file(file, vendor, of_all_vendors)
    table = create_raw_table(connection, vendor, raw_schema, table_format)
    ledger = Ledger(connection, raw_schema, vendor, source)
    ledger.create(table_format)
    clear_tables(connection, raw_schema)
    if staging_dir is not None:
        clear_folders(staging_dir)
    entries = ledger.entries()
    known = landed_hashes(entries)
    new: list[BodyFile] = []
    skipped: list[BodyFile] = []
    for file in files:
        for entry in open_claims(entries):
            is_this_content = entry.sha256 == file.sha256 and file.sha256 not in known
            if is_this_content and ledger.close_claim(file, entry, take_over):
                known.add(file.sha256)
        if file.sha256 in known:
            skipped.append(file)
        else:
            known.add(file.sha256)
            new.append(file)
    if not new:
        return LandingResult(None, (), tuple(skipped), 0)
    claim = ledger.claim(new)
    if (rival := earlier_claim(ledger.entries(), new, claim)) is not None:
        ledger.write(new, claim, ABANDONED)
        raise LandingError(
            f"{rival.file_name} is being landed by {rival.claimed_by} at this moment; nothing was"
            " landed here. Run it again to see that it is."
        )
    bodies = _counted(new, on_body)
    count = append_messages(
        connection, table, source, claim.landing_batch, bodies, table_format, staging_dir, report
    )
    ledger.write(new, claim, LANDED)
    return LandingResult(claim.landing_batch, tuple(new), tuple(skipped), count)


def _counted(files: list[BodyFile], on_body: Callable[[int], None]) -> Iterator[Message]:
    count = 0
    for file in files:
        for message in read_bodies(file):
            count += 1
            yield message
            if count % 500 == 0:
                on_body(count)
    on_body(count)


def _plural(count: int, noun: str) -> str:
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def land_and_say(
    config: ServerConfig,
    vendor: str,
    source: str,
    paths: Iterable[Path],
    raw_schema: str,
    *,
    take_over: bool = False,
    force: bool = False,
) -> None:
    """Land files, show how far it is, and say what became of each; raise LandingError."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console()
    check_name("vendor", vendor)
    connection = connect(config.host, config.port)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    ) as progress:
        task = progress.add_task("reading", total=None)
        landing = land_files(
            connection,
            vendor,
            source,
            paths,
            raw_schema=raw_schema,
            table_format=config.table_format,
            staging_dir=config.staging_dir if config.host in LOCAL_HOSTS else None,
            take_over=take_over,
            force=force,
            on_body=lambda bodies: progress.update(task, completed=bodies, description="landing"),
            report=lambda text: progress.console.print(text, markup=False, highlight=False),
        )
    for file in landing.skipped:
        _say(console, f"skipped  {file.path}: this content is landed already")
    for file in landing.landed:
        blank = f", {_plural(file.blank_lines, 'blank line')} left out" if file.blank_lines else ""
        _say(console, f"landed   {file.path}: {_plural(file.lines, 'message')}{blank}")
    if landing.landing_batch is not None:
        _say(
            console,
            f"{_plural(landing.messages, 'message')} in {raw_schema}.{vendor},"
            f" batch {landing.landing_batch}, source {source}",
        )


def _say(console: object, text: str) -> None:
    from rich.console import Console

    assert isinstance(console, Console)
    console.print(text, markup=False, highlight=False, soft_wrap=True)


def file_names(text: str) -> list[Path]:
    """Return the files that a text names: words as a shell splits them, `*` and `?` filled in.

    Nothing in it is run or replaced: `a;b`, `$(x)` and backticks are parts of names.
    """
    names = [
        name
        for word in shlex.split(text)
        for name in (sorted(glob.glob(word)) or [word])  # noqa: PTH207, a pattern may be absolute
    ]
    return [Path(name) for name in names]


def main() -> int:
    """Run `python -m cdc_changelog.landing.files`."""
    parser = argparse.ArgumentParser(
        prog="python -m cdc_changelog.landing.files",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    given = os.environ.get
    parser.add_argument(
        "--vendor",
        required="LAND_VENDOR" not in os.environ,
        default=given("LAND_VENDOR"),
        choices=known_vendors(),
        help="names the raw table",
    )
    parser.add_argument(
        "--source",
        required="LAND_SOURCE" not in os.environ,
        default=given("LAND_SOURCE"),
        help="name of the feed the bodies come from",
    )
    parser.add_argument("--raw-schema", default=raw_schema())
    parser.add_argument(
        "--take-over",
        action="store_true",
        help="ignore a lander that started with the same content and is gone for certain",
    )
    parser.add_argument(
        "--force", action="store_true", help="land files whose sample looks like a mistake"
    )
    parser.add_argument("paths", nargs="*", type=Path, metavar="PATH")
    arguments = parser.parse_args()
    arguments.paths = arguments.paths or file_names(given("LAND_FILES", ""))
    if arguments.vendor not in known_vendors():
        parser.error(
            f"vendor is {arguments.vendor!r}; expected one of {', '.join(known_vendors())}"
        )
    if not arguments.paths:
        parser.error("no files are named")
    try:
        land_and_say(
            config_from_environment(),
            arguments.vendor,
            arguments.source,
            arguments.paths,
            arguments.raw_schema,
            take_over=arguments.take_over,
            force=arguments.force,
        )
    except CdcError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Rows of the server as tables in the console."""

from __future__ import annotations

import argparse
import re
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from cdc_changelog.project import public_schema


def printable(value: Any) -> str:
    r"""Return a value as text that a terminal only shows: ESC as `\x1b`, null as nothing.

    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    text = "" if value is None else str(value)
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", text)


def show(console: Console, title: str, names: list[str], rows: list[tuple[Any, ...]]) -> None:
    """Print a title and rows as a table, without columns of nothing but 0 or null."""
    console.print(Text(printable(title if rows else f"{title}: none"), style="bold"))
    if not rows:
        console.print()
        return
    shown = [
        place
        for place in range(len(names))
        # `false` says something: only the numbers 0 are left out.
        if any(row[place] is False or row[place] not in (0, None) for row in rows)
    ]
    table = Table(
        header_style="cyan",
        box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=0,
    )  # fmt: skip
    for place in shown:
        table.add_column(names[place], overflow="fold")
    for row in rows:
        table.add_row(*[Text(printable(row[place])) for place in shown])
    console.print(table)
    console.print()


def add_schema(parser: argparse.ArgumentParser) -> None:
    """Let a command be given where the public tables are."""
    parser.add_argument(
        "--schema",
        default=public_schema(),
        help="the schema of the marts (cdc_schema of the project)",
    )

"""Rows of the server as tables in the console."""

from __future__ import annotations

import json
import re
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text


def printable(value: Any) -> str:
    r"""Return a value as text that a terminal only shows: ESC as `\x1b`, null as nothing.

    >>> printable("red \x1b[31m")
    'red \\x1b[31m'
    """
    text = "" if value is None else str(value)
    return re.sub(r"[\x00-\x1f\x7f-\x9f]", lambda found: f"\\x{ord(found[0]):02x}", text)


def show(console: Console, title: str, names: list[str], rows: list[tuple[Any, ...]]) -> None:
    """Print a title and rows, without columns of nothing but 0 or null.

    They are a table where one fits into the console, else one record after the other.
    """
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
    labels = [names[place] for place in shown]
    cells = [[printable(row[place]) for place in shown] for row in rows]
    widths = [max(map(len, column)) for column in zip(labels, *cells, strict=True)]
    if sum(widths) + len(widths) - 1 <= console.width:
        _print_table(console, labels, cells)
    else:
        _print_records(console, labels, cells)
    console.print()


def _print_table(console: Console, labels: list[str], cells: list[list[str]]) -> None:
    table = Table(
        header_style="cyan",
        box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=0,
    )  # fmt: skip
    for label in labels:
        table.add_column(label, overflow="fold")
    for row in cells:
        table.add_row(*map(Text, row))
    console.print(table)


def _print_records(console: Console, labels: list[str], cells: list[list[str]]) -> None:
    """Print each row as lines of a label and a value, without those that are empty."""
    width = max(map(len, labels))
    for number, row in enumerate(cells, 1):
        console.print(Text(f"{number} of {len(cells)}", style="cyan"))
        for label, cell in zip(labels, row, strict=True):
            if cell:
                console.print(Text(f"  {label:<{width}}  {cell}"), soft_wrap=True)


class Report:
    """What a command has found: tables for people as they come, or one JSON document at the end."""

    def __init__(self, console: Console, as_json: bool) -> None:
        """Begin with nothing found."""
        self.console, self.as_json = console, as_json
        self.found: dict[str, list[dict[str, Any]]] = {}

    def add(self, key: str, title: str, names: list[str], rows: list[tuple[Any, ...]]) -> None:
        """Show rows under a title, or keep them under a key."""
        if self.as_json:
            self.found[key] = [dict(zip(names, row, strict=True)) for row in rows]
        else:
            show(self.console, title, names, rows)

    def end(self) -> None:
        """Print the document, if it is one; times are ISO text."""
        if self.as_json:
            print(json.dumps(self.found, default=str, ensure_ascii=False, indent=1))

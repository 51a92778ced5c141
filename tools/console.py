"""Rows of the server as tables in the console."""

from __future__ import annotations

import argparse
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text


def show(console: Console, title: str, names: list[str], rows: list[tuple[Any, ...]]) -> None:
    """Print rows as a table; null is an empty cell."""
    table = Table(title=title, title_justify="left", title_style="bold", header_style="cyan")
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*[Text("" if value is None else str(value)) for value in row])
    console.print(table)
    console.print()


def add_schema(parser: argparse.ArgumentParser) -> None:
    """Let a command be given where the public tables are."""
    parser.add_argument("--schema", default="cdc", help="the project's cdc_schema (cdc)")

"""`python -m dev.budgets`: what a small run asks of the server, and which models are the longest.

`make check` runs it. It fails where a small run has more statements than it may have. The longest
models and those with the most common table expressions are listed for the reader alone: a model
may be as long as it has to be to be clear.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console
from rich.table import Table

from cdc_changelog.config import REPOSITORY

CORE_MODELS = ("intermediate", "marts")
MOST_STATEMENTS = 15
SHOWN = 8


def core_models(root: Path) -> list[Path]:
    """Return the SQL files of the models that all vendors share."""
    return [
        path for part in CORE_MODELS for path in sorted((root / "models" / part).rglob("*.sql"))
    ]


def lines(path: Path) -> int:
    """Return the number of lines of a file."""
    return len(path.read_text().splitlines())


def ctes(path: Path) -> int:
    """Return how many common table expressions a model names."""
    names = re.findall(r"^(?:with )?(\w+) as \($", path.read_text(), flags=re.MULTILINE)
    return len(set(names))


def statements_of_a_small_run(models: Iterable[Path], all_macros: Iterable[Path]) -> int:
    """Return how many statements read or write data in `make run` with messages of one vendor.

    One for each table and two for each incremental model that a run does not leave out (its select,
    and how it is written), and one for each question that a run asks once. Staging is not counted.
    """
    count = 0
    for path in models:
        text = path.read_text()
        if (
            "materialized='table'" in text
            and "_settings" not in path.name
            and "enabled" not in text
        ):
            count += 1
        if "materialized='incremental'" in text and path.name != "run_configuration.sql":
            count += 2
    return (
        count + sum(len(re.findall(r"cdc_cached_query\(", p.read_text())) for p in all_macros) - 1
    )


def main() -> int:
    """Show the longest models; return 1 where a small run has too many statements."""
    console = Console(width=100)
    table = Table("longest models", "lines", "common table expressions")
    models = sorted((REPOSITORY / "models").rglob("*.sql"), key=lines, reverse=True)
    for path in models[:SHOWN]:
        table.add_row(path.stem, str(lines(path)), str(ctes(path)))
    console.print(table)
    statements = statements_of_a_small_run(
        core_models(REPOSITORY), (REPOSITORY / "macros").rglob("*.sql")
    )
    console.print(f"A small run has {statements} statements; it may have {MOST_STATEMENTS}.")
    return int(statements > MOST_STATEMENTS)


if __name__ == "__main__":
    sys.exit(main())

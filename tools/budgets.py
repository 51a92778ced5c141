"""`python -m tools.budgets`: how large the core is, against what it may be.

The core is models/intermediate, models/marts and the macros outside vendors, json, staging
and fixtures. `make check` runs it. It fails where a measure is over its limit, which is what
has been reached: a limit only goes down, until the budget is met.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

from engine.config import REPOSITORY

CORE_MODELS = ("intermediate", "marts")
MACROS_BESIDE_THE_CORE = ("vendors", "json", "staging", "fixtures")


@dataclass(frozen=True)
class Measure:
    """What is counted, what was found and where, what it is to be, and more than what fails."""

    name: str
    found: int
    budget: int
    limit: int
    where: str = ""


def core_models(root: Path) -> list[Path]:
    """Return the SQL files of the core's models."""
    return [
        path for part in CORE_MODELS for path in sorted((root / "models" / part).rglob("*.sql"))
    ]


def core_macros(root: Path) -> list[Path]:
    """Return the SQL files of the core's macros."""
    return [
        path
        for path in sorted((root / "macros").rglob("*.sql"))
        if path.relative_to(root / "macros").parts[0] not in MACROS_BESIDE_THE_CORE
    ]


def lines(path: Path) -> int:
    """Return the number of lines of a file."""
    return len(path.read_text().splitlines())


def ctes(path: Path) -> int:
    """Return how many common table expressions a model names."""
    names = re.findall(r"^(?:with )?(\w+) as \($", path.read_text(), flags=re.MULTILINE)
    return len(set(names))


def macros(path: Path) -> int:
    """Return how many macros a file defines."""
    return len(re.findall(r"{%-?\s*macro ", path.read_text()))


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
        if "materialized='incremental'" in text and path.name != "int_configuration.sql":
            count += 2
    return count + sum(len(re.findall(r"cdc_asked_once\(", p.read_text())) for p in all_macros) - 1


def measures(root: Path) -> list[Measure]:
    """Return the core's measures."""
    models, macro_files = core_models(root), core_macros(root)
    longest = max(models, key=lines)
    most = max(models, key=ctes)
    files = [*models, *macro_files]
    statements = statements_of_a_small_run(models, macro_files)
    return [
        Measure("lines of the longest model", lines(longest), 150, 150, longest.stem),
        Measure("CTEs of a model", ctes(most), 8, 8, most.stem),
        Measure("macros", sum(map(macros, macro_files)), 100, 100),
        Measure("lines of SQL", sum(map(lines, files)), 2300, 2681),
        Measure("statements of a small run", statements, 15, 15),
    ]


def main() -> int:
    """Show the measures; return 1 where one is over its limit."""
    table = Table("the core's", "found", "budget", "limit", "where")
    found = measures(REPOSITORY)
    for measure in found:
        table.add_row(
            measure.name,
            f"[red]{measure.found}[/]" if measure.found > measure.limit else str(measure.found),
            str(measure.budget),
            str(measure.limit),
            measure.where,
        )
    Console(width=100).print(table)
    return int(any(measure.found > measure.limit for measure in found))


if __name__ == "__main__":
    sys.exit(main())

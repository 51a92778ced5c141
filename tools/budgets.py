"""`python -m tools.budgets`: how large the core and staging are, against what they may be.

The core is models/intermediate, models/marts and the macros outside vendors, json, staging
and fixtures; staging is models/staging and macros/vendors. `make check` runs it. It fails where
a measure is over its limit, which is what has been reached: a limit only goes down, until the
budget is met.
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


def staging(root: Path) -> tuple[list[Path], list[Path]]:
    """Return the SQL files of the vendors' models and of their macros."""
    models = sorted((root / "models" / "staging").rglob("*.sql"))
    return models, sorted((root / "macros" / "vendors").rglob("*.sql"))


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


def sizes(
    part: str, models: list[Path], macro_files: list[Path], most_macros: int, sql: tuple[int, int]
) -> list[Measure]:
    """Return how large a part of the project is. sql: budget and limit of its lines of SQL."""
    longest, most = max(models, key=lines), max(models, key=ctes)
    sql_lines = sum(map(lines, [*models, *macro_files]))
    return [
        Measure(f"{part}: lines of the longest model", lines(longest), 150, 150, longest.stem),
        Measure(f"{part}: CTEs of a model", ctes(most), 8, 8, most.stem),
        Measure(f"{part}: macros", sum(map(macros, macro_files)), most_macros, most_macros),
        Measure(f"{part}: lines of SQL", sql_lines, *sql),
    ]


def measures(root: Path) -> list[Measure]:
    """Return the measures of the core, then those of staging."""
    models, macro_files = core_models(root), core_macros(root)
    statements = statements_of_a_small_run(models, macro_files)
    return [
        *sizes("core", models, macro_files, 100, (2300, 2300)),
        Measure("core: statements of a small run", statements, 15, 15),
        *sizes("staging", *staging(root), 40, (3000, 3000)),
    ]


def main() -> int:
    """Show the measures; return 1 where one is over its limit."""
    table = Table("measure", "found", "budget", "limit", "where")
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

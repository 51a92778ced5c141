"""`make check`: everything that can be known without a server, in order of price."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from cdc_changelog.config import REPOSITORY

BIN = Path(sys.executable).parent


@dataclass(frozen=True)
class Check:
    """One tool and how to call it; `names` of files are added where given as a git pattern."""

    name: str
    command: tuple[str, ...]
    files: tuple[str, ...] = ()


DBT_PARSE = ("dbt", "parse", "--no-partial-parse", "--warn-error", "--quiet")
SERVERLESS_TESTS = tuple(
    f"tests/python/{folder}" for folder in ("unit", "project", "scenario", "vendors")
)

TYPED = (
    "cdc_changelog", "python_udfs", "dev", "benchmarks", "tests/python", "tests/mutations.py",
)  # fmt: skip

SLOWEST = "sqlfluff"
CHECKS = (
    Check("ruff format", ("ruff", "format", "--check", "--quiet", ".")),
    Check("ruff", ("ruff", "check", "--quiet", ".")),
    Check("mypy", ("mypy", *TYPED)),
    Check("yamllint", ("yamllint", "--strict"), ("*.yml",)),
    Check("codespell", ("codespell",), ("*.md", "*.py", "*.sql", "*.yml", "*.toml", "Makefile")),
    Check(SLOWEST, ("python", "-m", "sqlfluff", "lint", "--nocolor", "models", "tests/dbt")),
    Check("YAML schemas", ("python", "-m", "dev.yaml_schemas")),
    Check("dbt parse", DBT_PARSE),
    Check(
        "dbt parse, fixtures",
        (*DBT_PARSE, "--vars", "{cdc_fixtures: true}", "--target-path", "target/fixtures"),
    ),
    Check("budgets", ("python", "-m", "dev.budgets")),
    Check("dbt-bouncer", ("dbt-bouncer", "run", "--config-file", "dbt-bouncer.yml")),
    Check(
        "project tests",
        ("pytest", "-q", "-p", "no:cacheprovider", "-m", "not slow", *SERVERLESS_TESTS),
    ),
)  # fmt: skip


def listed_files(patterns: tuple[str, ...]) -> list[str]:
    """Return the files of the repository that git tracks or would add."""
    found = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", *patterns],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=True,
    ).stdout.splitlines()
    return [name for name in found if (REPOSITORY / name).is_file()]


def run(check: Check, console: Console) -> bool:
    """Run one check; show its time, and its output if it fails."""
    environment = {
        **os.environ,
        "PATH": f"{BIN}{os.pathsep}{os.environ.get('PATH', '')}",
        "DBT_PROFILES_DIR": str(REPOSITORY / "profiles"),
    }
    began = time.monotonic()
    result = subprocess.run(
        [*check.command, *(listed_files(check.files) if check.files else [])],
        cwd=REPOSITORY,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    good = result.returncode == 0
    console.print(
        f"{'[green]ok  [/]' if good else '[red]FAIL[/]'} {check.name:22}"
        f" {time.monotonic() - began:6.1f} s"
    )
    if not good:
        console.print((result.stdout + result.stderr)[-6000:], markup=False)
    return good


def main() -> int:
    """Run all checks, or those that are named; the slowest one beside all others."""
    console = Console(highlight=False)
    wanted = [check for check in CHECKS if not sys.argv[1:] or check.name in sys.argv[1:]]
    lanes = [
        [check for check in wanted if (check.name == SLOWEST) is is_slowest]
        for is_slowest in (True, False)
    ]

    def failures(lane: list[Check]) -> list[str]:
        return [check.name for check in lane if not run(check, console)]

    started = time.monotonic()
    with ThreadPoolExecutor(len(lanes)) as pool:
        failed = [name for names in pool.map(failures, lanes) for name in names]
    console.print(f"{time.monotonic() - started:.0f} s in all")
    if failed:
        console.print(f"[red]failed:[/] {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

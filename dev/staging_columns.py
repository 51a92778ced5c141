"""The table of the columns that staging may give, in docs/adding_a_vendor.md.

It is written from the macros that list the columns and from the doc blocks that describe them.
`python -m dev.staging_columns` writes it, with `--check` it only says whether it is true.
"""

from __future__ import annotations

import re
import sys

from cdc_changelog.config import REPOSITORY
from dev.marked import with_table, write_or_check

PAGE = REPOSITORY / "docs" / "adding_a_vendor.md"
START = "<!-- staging columns: written by dev.staging_columns -->"
END = "<!-- end of staging columns -->"
COLUMNS = REPOSITORY / "macros" / "columns"
BLOCKS = REPOSITORY / "models" / "_columns__docs.md"


def columns_of(macro: str) -> list[tuple[str, str]]:
    """Return the columns that a macro of macros/columns gives, (name, type) in order."""
    text = (COLUMNS / f"{macro}.sql").read_text()
    blocks = dict(re.findall(r"{%- set (\w+) -%}\n(.*?){%- endset -%}", text, re.DOTALL))
    (result,) = re.findall(r"{{ return\((.*)\) }}", text)
    found: list[tuple[str, str]] = []
    for block, called in re.findall(r"cdc_parse_columns\((\w+)\)|\b(cdc_\w+_columns)\(\)", result):
        if called:
            found += columns_of(called)
            continue
        for line in blocks[block].split("\n"):
            name, _, kind = line.strip().partition(" ")
            if name:
                found.append((name, kind))
    return found


def meanings() -> dict[str, str]:
    """Return what the doc blocks say of the columns of staging, on one line each."""
    blocks = dict(
        re.findall(r"{% docs (\w+) %}\n(.*?){% enddocs %}", BLOCKS.read_text(), re.DOTALL)
    )
    found: dict[str, str] = {}
    for name, _ in columns_of("cdc_staging_columns"):
        text = blocks.get(f"staging_{name}") or blocks.get(f"column_{name}") or ""
        found[name] = " ".join(text.split())
    return found


def table() -> str:
    """Return the columns as a Markdown table.

    Raises ValueError if a column has no doc block.
    """
    texts = meanings()
    lines = ["| column | type | meaning |", "|---|---|---|"]
    for name, kind in columns_of("cdc_staging_columns"):
        if not texts[name]:
            raise ValueError(f"models/_columns__docs.md has no block for the column {name}")
        lines.append(f"| {name} | {kind} | {texts[name]} |")
    return "\n".join(lines)


def main() -> int:
    """Write the table; with --check only say whether it is true."""
    new = with_table(PAGE.read_text(), START, END, table())
    return write_or_check(
        PAGE, new, "The table of staging columns is out of date: python -m dev.staging_columns"
    )


if __name__ == "__main__":
    sys.exit(main())

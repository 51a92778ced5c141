"""The table of column types on each vendor's page, out of `cdc_column_types__<vendor>`.

`python -m dev.type_tables` writes it; with --check it only says whether it is true. What each value
becomes is proved by tests/python/integration/test_column_types.py.
"""

from __future__ import annotations

import sys

from cdc_changelog.config import REPOSITORY
from cdc_changelog.project import column_types, specs
from dev.marked import with_table, write_or_check

START, END = "<!-- column types -->", "<!-- end of column types -->"


def _code(text: str) -> str:
    return f"`{text}`".replace("|", "\\|")


def table(vendor: str) -> str:
    """Return the column types of a vendor as a Markdown table."""
    lines = ["| type | in a message | column type | becomes | |", "|---|---|---|---|---|"]
    for known in column_types(vendor):
        spark_type = known["type"].replace("{precision},{scale}", "p,s")
        lines.append(
            f"| {known['name']} | {_code(known['sent'])} | {_code(spark_type)}"
            f" | {_code(known['becomes'])} | {known.get('note', '')} |"
        )
    return "\n".join(lines)


def main() -> int:
    """Write the tables of all vendors, or check them."""
    code = 0
    for spec in specs():
        page = REPOSITORY / spec["docs"]
        new = with_table(page.read_text(), START, END, table(spec["name"]))
        code |= write_or_check(
            page, new, f"{page}: column types are others: python -m dev.type_tables"
        )
    return code


if __name__ == "__main__":
    sys.exit(main())

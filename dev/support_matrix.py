"""The support matrix (docs/vendors/README.md), written from the vendors' specs.

`python -m dev.support_matrix` writes it, with `--check` it only says whether it is true.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from cdc_changelog.config import REPOSITORY
from cdc_changelog.project import specs
from dev.marked import with_table, write_or_check

PAGE = REPOSITORY / "docs" / "vendors" / "README.md"
START = "<!-- support matrix: written by dev.support_matrix -->"
END = "<!-- end of support matrix -->"

ROWS = {
    "snapshot_rows": "snapshot rows",
    "truncate": "truncates",
    "key_change": "key changes",
    "before_image": "image before",
    "partial_images": "partial images",
    "position": "position",
    "commit_time": "commit time",
    "transaction_id": "transaction id",
    "transaction_end": "end of a transaction",
    "transaction_order": "order within a transaction",
    "key_names": "key names in the message",
    "key_values": "key values in the message",
    "schema_messages": "schema messages",
    "ddl": "DDL",
    "message_id": "id of the event",
}


def _cell(value: Any) -> str:
    if value is True:
        return "yes"
    if value in (False, None, "none"):
        return "–"
    return str(value)


def matrix(found: list[dict[str, Any]]) -> str:
    """Return the matrix as a Markdown table."""
    lines = [
        "| | "
        + " | ".join(f"[{spec['label']}]({Path(spec['docs']).name})" for spec in found)
        + " |",
        "|---|" + "---|" * len(found),
    ]
    lines += [
        f"| {title} | " + " | ".join(_cell(spec["capabilities"].get(name)) for spec in found) + " |"
        for name, title in ROWS.items()
    ]
    lines.append("| versions seen | " + " | ".join(str(spec["versions"]) for spec in found) + " |")
    return "\n".join(lines)


def with_matrix(text: str, table: str) -> str:
    """Return the page's text with the table between its marks."""
    return with_table(text, START, END, table)


def main() -> int:
    """Write the matrix; with --check only say whether it is true."""
    new = with_matrix(PAGE.read_text(), matrix(specs()))
    return write_or_check(
        PAGE,
        new,
        "The support matrix is not what the specs say: python -m dev.support_matrix",
    )


if __name__ == "__main__":
    sys.exit(main())

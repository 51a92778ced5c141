"""Tables of the documentation that are written by a tool, between two marks of a page."""

from __future__ import annotations

import sys
from pathlib import Path


def with_table(text: str, start: str, end: str, table: str) -> str:
    """Return a page's text with the table between its marks.

    Raises ValueError if the marks are missing.
    """
    if start not in text or end not in text:
        raise ValueError(f"the page lacks the marks {start} and {end}")
    before, rest = text.split(start, 1)
    return f"{before}{start}\n{table}\n{end}{rest.split(end, 1)[1]}"


def write_or_check(page: Path, new: str, out_of_date: str) -> int:
    """Write the page; with --check only say that it is out of date. Return the exit code."""
    if new == page.read_text():
        return 0
    if "--check" in sys.argv[1:]:
        print(out_of_date)
        return 1
    page.write_text(new)
    return 0

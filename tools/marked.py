"""Tables of the documentation that are written by a tool, between two marks of a page."""

from __future__ import annotations


def with_table(text: str, start: str, end: str, table: str) -> str:
    """Return a page's text with the table between its marks.

    Raises ValueError if the marks are missing.
    """
    if start not in text or end not in text:
        raise ValueError(f"the page lacks the marks {start} and {end}")
    before, rest = text.split(start, 1)
    return f"{before}{start}\n{table}\n{end}{rest.split(end, 1)[1]}"

"""Every window in the SQL has a total order: it ends in a column that is unique within the partition."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cdc_changelog.config import REPOSITORY

# Columns that are unique among the rows of the windows that end in them.
UNIQUE = {
    "change_id", "event_id", "event", "sort_key", "tie_breaker", "configured_from", "half", "version_number", "schema_id", "row_id", "content_hash", "schema_text_md5",
    "table_name", "transaction_id", "landing_batch",
}  # fmt: skip
MACROS = REPOSITORY / "macros"
MODELS = sorted((REPOSITORY / "models").rglob("*.sql")) + sorted(MACROS.rglob("*.sql"))


def _windows(text: str) -> list[str]:
    """The inside of every `over (…)`, and of every window that has a name."""
    found = []
    for match in re.finditer(r"\bover\s*\(|\b\w+ as \((?=\s*partition by)", text):
        depth, end = 1, match.end()
        while depth and end < len(text):
            depth += {"(": 1, ")": -1}.get(text[end], 0)
            end += 1
        found.append(text[match.end() : end - 1])
    return found


def order_columns(window: str) -> list[str]:
    """Columns of a window's order, in order; empty where it has none."""
    if "order by" not in window:
        return []
    order = re.split(r"\b(?:rows|range) between\b", window.split("order by", 1)[1])[0]
    order = re.sub(r"\([^()]*\)", "", order)
    return [
        re.split(r"\s+", item.strip())[0].strip("`").split(".")[-1] for item in order.split(",")
    ]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_windows_end_in_a_unique_column(path: Path) -> None:
    text = re.sub(r"{#.*?#}", "", path.read_text(), flags=re.DOTALL)
    for window in _windows(text):
        columns = order_columns(window)
        if columns and "{{" not in window:
            assert columns[-1] in UNIQUE, (
                f"{path.name}: a window ends in {columns[-1]}: {window.strip()}"
            )


def test_the_order_of_a_rows_events_is_total() -> None:
    text = (REPOSITORY / "models/intermediate/rows/int_row_events.sql").read_text()
    keys = {
        name: re.findall(r"\w+", fields)
        for fields, name in re.findall(r"struct\(([^()]*)\) as (tie_breaker|sort_key)", text)
    }
    assert keys["tie_breaker"][-3:] == ["change_id", "key_change_side", "row_id"]
    assert keys["sort_key"][-1] == "tie_breaker"
    assert text.count("as sort_key") == 2


def test_a_window_that_ends_in_a_time_is_noticed() -> None:
    assert order_columns("partition by a order by committed_at asc") == ["committed_at"]
    assert order_columns(
        "partition by a order by b desc nulls last, c.change_id asc rows between x"
    ) == ["b", "change_id"]

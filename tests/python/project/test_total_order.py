"""Every window in the SQL has a total order: it ends in a column that is unique within the partition."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cdc_changelog.config import REPOSITORY

# Columns that are unique among the rows of the windows that end in them.
UNIQUE = {
    "change_id", "event", "configured_from", "half", "version_number", "schema_id", "row_id", "content_hash", "declared_as",
    "table_name", "transaction_id", "landing_batch",
}  # fmt: skip
MACROS = REPOSITORY / "macros"
MODELS = sorted((REPOSITORY / "models").rglob("*.sql")) + sorted(MACROS.rglob("*.sql"))


def _windows(text: str) -> list[str]:
    """The inside of every `over (…)`."""
    found = []
    for match in re.finditer(r"\bover\s*\(", text):
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
    order = re.search(r"\+ \[(.*)\]", (MACROS / "rows" / "cdc_row_order.sql").read_text())
    assert order is not None
    assert re.findall(r"'(\w+)'", order.group(1))[-3:] == ["change_id", "key_change_side", "row_id"]
    rows = {
        path.name: path.read_text()
        for path in (REPOSITORY / "models/intermediate/rows").glob("*.sql")
    }
    windows = {
        window.strip() for text in rows.values() for window in _windows(text) if "{{" in window
    }
    assert len(windows) >= 4
    orders = ("in_order", "so_far", "whole_row", "along_positions", "along_all")
    orders_of_rows = {
        window for window in windows if not window.startswith("partition by {{ of_table }}")
    }
    assert all(re.search(r"{{ (\w+) }}", window)[1] in orders for window in orders_of_rows), windows  # type: ignore[index]
    # The window over a table's schema messages.
    assert all("change_id asc" in window for window in windows - orders_of_rows)


def test_a_window_that_ends_in_a_time_is_noticed() -> None:
    assert order_columns("partition by a order by committed_at asc") == ["committed_at"]
    assert order_columns(
        "partition by a order by b desc nulls last, c.change_id asc rows between x"
    ) == ["b", "change_id"]

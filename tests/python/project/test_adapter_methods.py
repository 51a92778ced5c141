"""Macros call what dbt lends them: a method it keeps to itself fails only where a run comes by."""

from __future__ import annotations

import re

from dbt.adapters.spark.impl import SparkAdapter

from cdc_changelog.config import REPOSITORY


def _called() -> dict[str, str]:
    """Each method of `adapter` that a model or macro calls, and a file that does."""
    return {
        name: str(file.relative_to(REPOSITORY))
        for folder in ("macros", "models")
        for file in sorted((REPOSITORY / folder).rglob("*.sql"))
        for name in re.findall(r"\badapter\.(\w+)", file.read_text())
        if name != "dispatch"
    }


def test_macros_call_only_what_dbt_lends_them() -> None:
    called = _called()
    assert "get_relation" in called
    assert {
        name: file for name, file in called.items() if name not in SparkAdapter._available_
    } == {}

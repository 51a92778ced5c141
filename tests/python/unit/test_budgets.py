"""What the budgets of the core and of staging count."""

from __future__ import annotations

from pathlib import Path

from tools.budgets import ctes, macros


def test_a_cte_that_stands_in_two_branches_counts_once(tmp_path: Path) -> None:
    model = tmp_path / "a.sql"
    model.write_text("with a as (\n),\n{% if x %}\nb as (\n)\n{% else %}\nb as (\n)\n{% endif %}")
    assert ctes(model) == 2


def test_each_macro_of_a_file_counts(tmp_path: Path) -> None:
    file = tmp_path / "a.sql"
    file.write_text("{% macro a() -%}{%- endmacro %}\n{%- macro b() %}{% endmacro %}")
    assert macros(file) == 2

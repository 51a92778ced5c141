"""What `python -m dev.budgets` counts."""

from __future__ import annotations

from pathlib import Path

from dev.budgets import ctes, statements_of_a_small_run


def test_a_cte_that_stands_in_two_branches_counts_once(tmp_path: Path) -> None:
    model = tmp_path / "a.sql"
    model.write_text("with a as (\n),\n{% if x %}\nb as (\n)\n{% else %}\nb as (\n)\n{% endif %}")
    assert ctes(model) == 2


def test_a_table_is_one_statement_and_an_incremental_model_two(tmp_path: Path) -> None:
    table, merged, view = (tmp_path / f"{name}.sql" for name in ("table", "merged", "view"))
    table.write_text("{{ config(materialized='table') }}")
    merged.write_text("{{ config(materialized='incremental') }}")
    view.write_text("select 1")
    macro = tmp_path / "cdc_asked.sql"
    macro.write_text("{% macro cdc_cached_query() %}{% endmacro %} cdc_cached_query(query)")
    assert statements_of_a_small_run([table, merged, view], [macro]) == 4

"""What `make build` and `make run` decide before dbt starts."""

from __future__ import annotations

from pathlib import Path

from cdc_changelog.commands.build import ALL_VIEWS, left_out, project_fingerprint, raw_tables


def test_a_changed_file_changes_the_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    model = tmp_path / "models" / "a.sql"
    model.write_text("select 1")
    first = project_fingerprint(tmp_path)
    assert project_fingerprint(tmp_path) == first
    model.write_text("select 2")
    assert project_fingerprint(tmp_path) != first


def test_new_messages_of_a_vendor_leave_out_the_staging_of_the_others() -> None:
    excluded = left_out("build", ["qlik", "sequin"], ["sequin"])
    assert "fqn:cdc_changelog.staging.qlik" in excluded
    assert "fqn:cdc_changelog.staging.sequin" not in excluded


def test_a_build_with_data_tests_keeps_the_views_that_they_look_at() -> None:
    assert ALL_VIEWS in left_out("run", ["qlik"], ["qlik"])
    assert ALL_VIEWS not in left_out("build", ["qlik"], ["qlik"])


def test_raw_messages_are_looked_for_where_the_projects_vars_say(tmp_path: Path) -> None:
    (tmp_path / "dbt_project.yml").write_text(
        "vars: {cdc_raw_schema: landed, cdc_raw_tables: {qlik: lake.orders}}"
    )
    assert raw_tables(tmp_path, ["qlik", "sequin"]) == {
        "qlik": "lake.orders",
        "sequin": "landed.sequin",
    }

"""Test cases by name, with hand-written expectations (cases.py), in three runs of one project."""

from __future__ import annotations

import pytest

from tests.python.helpers.cases import CASES, Case
from tests.python.helpers.quick_proof import QuickProof, distinct_changes

pytestmark = pytest.mark.server

each_case = pytest.mark.parametrize(
    "case",
    CASES,
    ids=[f"{case.name}: {case.sentence}" for case in CASES],
)


@each_case
def test_history_is_as_expected(quick_proof: QuickProof, case: Case) -> None:
    assert quick_proof.versions.get(case.name, []) == list(case.versions)


@each_case
def test_current_rows_are_as_expected(quick_proof: QuickProof, case: Case) -> None:
    assert quick_proof.rows[case.name] == list(case.rows)


@each_case
def test_every_different_change_is_logged_once(quick_proof: QuickProof, case: Case) -> None:
    assert quick_proof.changes[case.name] == distinct_changes(case)


def test_the_open_version_is_the_current_row(quick_proof: QuickProof) -> None:
    for source, rows in quick_proof.rows.items():
        open_versions = [
            (version.key, version.row)
            for version in quick_proof.versions.get(source, [])
            if version.closed_by is None
        ]
        if source in {case.name for case in CASES}:
            assert open_versions == [(row.key, row.row) for row in rows if not row.is_deleted]


def test_a_replayed_lifecycle_changes_neither_the_changelog_nor_the_marts(
    quick_proof: QuickProof,
) -> None:
    loads = "select count(distinct load_number) from {work}.%s where source = 'replayed'%s"
    query = quick_proof.project.query
    assert query(loads % ("int_events", "")) == [(2,)]
    assert query(loads % ("int_events", " and status = 'change'")) == [(1,)]
    assert query(loads % ("int_row_versions", "")) == [(1,)]


def test_a_run_builds_only_the_rows_again_that_its_changes_affect(quick_proof: QuickProof) -> None:
    affected = quick_proof.affected_rows
    names_of_the_last_run = {case.name for case in CASES if len(case.runs) == 3 and case.runs[2]}
    others = {case.name for case in CASES} - names_of_the_last_run
    assert set(affected) & others == set()
    assert "truncates_of_two_tables_late" in affected


def test_a_change_after_a_reset_affects_its_own_row_alone(quick_proof: QuickProof) -> None:
    assert quick_proof.affected_rows["reloaded_and_changed"] == {'["1"]'}


def test_every_raw_message_and_event_is_accounted_for(quick_proof: QuickProof) -> None:
    quick_proof.project.dbt("test", "--select", "accounts_for_every_message")


def test_duplicates_are_counted_where_they_were_left_out(quick_proof: QuickProof) -> None:
    counted = dict(
        quick_proof.project.query(
            "select source, sum(duplicates) from {cdc}.cdc_health"
            " where source in ('exact_duplicates', 'replayed', 'lifecycle') group by source"
        )
    )
    assert counted == {"exact_duplicates": 3, "replayed": 4, "lifecycle": 0}


def test_a_change_that_changes_nothing_is_counted_in_its_version(quick_proof: QuickProof) -> None:
    counts = quick_proof.project.query(
        "select source, change_count from {cdc}.cdc_row_versions"
        " where source in ('same_again', 'exact_duplicates') order by source, version_number"
    )
    assert counts == [("exact_duplicates", 1), ("exact_duplicates", 1), ("same_again", 2)]


def test_deliveries_that_claim_one_identity_carry_a_warning(quick_proof: QuickProof) -> None:
    warned = quick_proof.project.query(
        "select position, coalesce(array_contains(warnings, 'CONFLICTING_DELIVERIES'), false)"
        " from {cdc}.cdc_changelog where source = 'conflicting' order by position"
    )
    # What had been logged before anybody claimed its identity stays as it was logged.
    assert warned == [("0010", False), ("0020", True), ("0030", True)]


def test_only_conflicting_deliveries_carry_that_warning(quick_proof: QuickProof) -> None:
    warned = quick_proof.project.query(
        "select distinct source from {cdc}.cdc_changelog"
        " where array_contains(warnings, 'CONFLICTING_DELIVERIES')"
    )
    assert warned == [("conflicting",)]


def test_a_row_deleted_twice_shows_its_first_delete_and_the_last_event(
    quick_proof: QuickProof,
) -> None:
    assert quick_proof.project.query(
        "select minute(deleted_at) * 60 + second(deleted_at), position, version_count"
        " from {cdc}.cdc_current_rows where source = 'earlier_delete_late'"
    ) == [(15, "0020", 1)]


def test_a_row_that_came_back_by_a_partial_image_is_known_in_part(quick_proof: QuickProof) -> None:
    assert quick_proof.project.query(
        "select source, is_partial from {cdc}.cdc_current_rows"
        " where source in ('no_inheritance', 'partial_images') order by source"
    ) == [("no_inheritance", True), ("partial_images", False)]


def test_a_moved_row_names_the_keys_it_came_from_and_went_to(quick_proof: QuickProof) -> None:
    assert quick_proof.project.query(
        "select row_key, moved_from_row_key, moved_to_row_key from {cdc}.cdc_row_versions"
        " where source = 'chain_of_moves' order by row_key"
    ) == [('["1"]', None, '["2"]'), ('["2"]', '["1"]', '["3"]'), ('["3"]', '["2"]', None)]


def test_a_displaced_row_names_the_key_it_went_to(quick_proof: QuickProof) -> None:
    for source in ("all_keys_forwards", "all_keys_backwards"):
        assert quick_proof.project.query(
            "select row_key, moved_from_row_key, moved_to_row_key from {cdc}.cdc_row_versions"
            f" where source = '{source}' order by row_key, version_number"
        ) == [
            ('["1"]', None, '["2"]'),
            ('["2"]', None, '["3"]'),
            ('["2"]', '["1"]', None),
            ('["3"]', None, '["4"]'),
            ('["3"]', '["2"]', None),
            ('["4"]', '["3"]', None),
        ]

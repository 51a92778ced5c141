"""The scenario against itself: what was hand-written follows from the semantics."""

import csv
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.python.scenario.events import SCENARIO
from tests.python.scenario.model import ScenarioEvent, arrivals, carried_by, text_form
from tests.python.scenario.oracle import comparable, expected_marts, read_json
from tests.python.scenario.tables import TABLES

EXPECTED = Path(__file__).parents[3] / "seeds" / "expected"
FEATURES = frozenset(feature for event in SCENARIO for feature in event.needs)


def seed(name: str) -> list[dict[str, str | None]]:
    with (EXPECTED / f"{name}.csv").open(newline="", encoding="utf-8") as file:
        return [
            {column: value or None for column, value in row.items()}
            for row in csv.DictReader(file, delimiter="\t")
        ]


def needs(row: dict[str, str | None]) -> frozenset[str]:
    return frozenset((row["needs"] or "").split(",")) - {""}


def moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text).replace(tzinfo=UTC) if text else None


def row_key(event: ScenarioEvent, image: Any) -> str:
    return "[" + ",".join(f'"{value}"' for value in event.table.key_values(image)) + "]"


def canonical_changes(events: list[ScenarioEvent], *, vendor: str = "sent") -> list[dict[str, Any]]:
    """The scenario as an ideal vendor's changelog, which carries everything."""
    changes = []
    for event in events:
        for table in event.tables if event.kind != "schema" else ():
            full_before = table.replica_identity == "full"
            before = event.before
            if before is not None and not full_before:
                before = {name: before[name] for name in table.key_columns}
            image = event.after if event.after is not None else event.before
            change: dict[str, Any] = {
                "change_id": f"{event.number:04}/{table.name}",
                "vendor": vendor,
                "source": "fixtures",
                "schema_name": table.schema_name,
                "table_name": table.name,
                "operation": event.kind,
                "row_key": None if image is None else row_key(event, image),
                "row_key_before": row_key(event, event.before) if event.key_changed else None,
                "before": text_form(before) if before is not None else None,
                "after": text_form(event.after_sent) if event.after is not None else None,
                "before_image": "full" if full_before else "key",
                "after_image": "partial" if event.absent else "full",
                "epoch": 0,
                "position": None,
                "committed_at": event.committed_at,
                "snapshot_at": event.snapshot_at,
            }
            if event.transaction is not None:
                change["position"] = f"{event.transaction:04}/{event.transaction_index:04}"
            changes.append(change)
    return changes


def played(carried: frozenset[str]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Current rows and versions by the oracle, as dicts with the columns of the seeds."""
    current, versions = expected_marts(
        canonical_changes(carried_by(SCENARIO, carried)),
        snapshots_first=() if "snapshot_time" in carried else ("sent",),
        history_ignored_columns={
            ("sent", "fixtures", None, table.schema_name, table.name): frozenset(
                table.history_ignored_columns
            )
            for table in TABLES
        },
    )
    return (
        [
            {
                "table_name": row.table[4],
                "row_key": row.row_key,
                "row": comparable(row.row),
                "is_deleted": str(row.is_deleted).lower(),
                "is_partial": str(row.is_partial).lower(),
                "operation": row.operation,
                "committed_at": row.committed_at,
                "first_seen_at": row.first_seen_at,
                "deleted_at": row.deleted_at,
                "version_count": str(row.version_count),
            }
            for row in current
        ],
        [
            {
                "table_name": version.table[4],
                "row_key": version.row_key,
                "version_number": str(version.version_number),
                "row": comparable(version.row),
                "valid_from": version.valid_from,
                "valid_to": version.valid_to,
                "is_current": str(version.is_current).lower(),
                "opened_by": version.opened_by,
                "closed_by": version.closed_by,
                "moved_from_row_key": version.moved_from_row_key,
                "moved_to_row_key": version.moved_to_row_key,
                "change_count": str(version.change_count),
                "opening_event": str(int(version.change_id.split("/")[0])),
            }
            for version in versions
        ],
    )


TIMES = ("committed_at", "first_seen_at", "deleted_at", "valid_from", "valid_to")


def as_played(row: dict[str, str | None]) -> dict[str, Any]:
    """A row of a seed with the types that `played` gives."""
    typed: dict[str, Any] = {name: value for name, value in row.items() if name != "needs"}
    typed["row"] = comparable(read_json(row["row"]))
    return {name: moment(value) if name in TIMES else value for name, value in typed.items()}


def in_order(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(
        rows, key=lambda row: (row["table_name"], row["row_key"], row.get("version_number", ""))
    )


def test_there_is_enough_of_it() -> None:
    assert len(SCENARIO) >= 40
    assert {delivery.landing_batch for delivery, _ in arrivals(SCENARIO)} == {1, 2, 3}
    fewest_carried = carried_by(
        SCENARIO, FEATURES - {"snapshot_rows", "truncate", "schema_messages"}
    )
    assert len(arrivals(fewest_carried)) >= 45


def test_arrival_is_out_of_order_within_and_over_batches() -> None:
    numbers = [
        (delivery.landing_batch, event.transaction or 0, event.transaction_index or 0)
        for delivery, event in arrivals(SCENARIO)
    ]
    pairs = list(pairwise(numbers))
    assert any(a[0] == b[0] and a[1:] > b[1:] for a, b in pairs)
    first_of_later_batch = min(number[1:] for number in numbers if number[0] == 3)
    assert first_of_later_batch < max(number[1:] for number in numbers if number[0] == 1)


def test_expected_changelog_holds_every_event_once() -> None:
    sent = [
        {
            "event": str(int(change["change_id"].split("/")[0])),
            "table_name": change["table_name"],
            "operation": change["operation"],
            "row_key": change["row_key"],
            "row_key_before": change["row_key_before"],
            "after": comparable(read_json(change["after"])),
            "committed_at": change["committed_at"],
            "snapshot_at": change["snapshot_at"],
        }
        for change in canonical_changes(SCENARIO)
    ]
    expected = [
        {
            **{name: value for name, value in row.items() if name != "needs"},
            "after": comparable(read_json(row["after"])),
            "committed_at": moment(row["committed_at"]),
            "snapshot_at": moment(row["snapshot_at"]),
        }
        for row in seed("expected_changelog")
    ]
    assert expected == sent


@pytest.mark.parametrize("lacking", [None, *sorted(FEATURES)])
def test_expected_rows_follow_from_the_semantics_less_what_a_format_lacks(
    lacking: str | None,
) -> None:
    carried = frozenset(feature for feature in FEATURES if feature != lacking)
    left_out = {
        (row["table_name"], row["row_key"])
        for row in seed("expected_current_rows")
        if not needs(row) <= carried
    }
    for name, rows in zip(
        ("expected_current_rows", "expected_row_versions"), played(carried), strict=True
    ):
        expected = [as_played(row) for row in seed(name) if needs(row) <= carried]
        sent = [row for row in rows if (row["table_name"], row["row_key"]) not in left_out]
        assert in_order(sent) == in_order(expected)


def test_a_row_needs_the_same_in_all_expectations() -> None:
    needed = {
        (row["table_name"], row["row_key"]): needs(row) for row in seed("expected_current_rows")
    }
    for name in ("expected_changelog", "expected_row_versions"):
        for row in seed(name):
            if row["row_key"] is not None:
                assert needs(row) == needed[row["table_name"], row["row_key"]]

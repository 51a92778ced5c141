"""S12: with cdc_visibility `transaction` the marts end before the first transaction that is not whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from cdc_changelog.config import ServerConfig
from tests.python.helpers.dbt_project import NEW_MESSAGES_ALONE, DbtProject
from tests.python.helpers.histories import delivered, random_history
from tests.python.helpers.quick_proof import (
    CURRENT_ROWS,
    VERSIONS,
    differences_from_oracle,
    land_together,
    quick_project_folder,
)

SEEDS = range(7001, 7031)
# What cdc_transactions counts as part of a transaction.
CHANGES = ("insert", "update", "delete", "truncate", "begin", "commit")

pytestmark = pytest.mark.server


def _place(change: dict[str, Any]) -> tuple[int, str]:
    return change["epoch"], change["position"] or ""


def _before_the_last_transaction(changes: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What is visible of each source: nothing says that its last transaction is whole."""
    visible = []
    for source in {change["source"] for change in changes}:
        sent = [change for change in changes if change["source"] == source]
        transactions: dict[tuple[int, str], list[dict[str, Any]]] = {}
        for change in sent:
            name = change["transaction_id"] or (change["position"] or "").split("/")[0]
            if change["operation"] in CHANGES and name:
                transactions.setdefault((change["epoch"], name), []).append(change)
        last = max(
            transactions.items(),
            key=lambda item: (max(map(_place, item[1])), item[0]),
            default=None,
        )
        # A change without a position lies in no transaction, whatever it names.
        places = (
            [] if last is None else [_place(change) for change in last[1] if change["position"]]
        )
        end = min(places, default=None)
        visible += [
            change
            for change in sent
            if end is None or not change["position"] or _place(change) < end
        ]
    return visible


def _insert(position: str, transaction: str) -> tuple[str, str]:
    body = {
        "id": position, "table": "rows", "key": ["id"], "position": position, "transaction": transaction,
        "committed_at": "2026-01-01T00:00:01Z", "operation": "insert", "after": {"id": position},
        "after_image": "full",
    }  # fmt: skip
    return json.dumps(body), "moving"


# What arrives with each run of one source, how dbt is called, and which rows are visible after it.
RUN = ("run",)
MOVING: tuple[tuple[list[tuple[str, str]], tuple[str, ...], list[str]], ...] = (
    ([_insert("0001/0001", "t1"), _insert("0002/0001", "t2")], RUN, ["0001/0001"]),
    ([_insert("0003/0001", "t3")], RUN, ["0001/0001", "0002/0001"]),
    # A late part of the last transaction lies before a change that was visible.
    ([_insert("0001/0002", "t3")], RUN, ["0001/0001"]),
    # Marts rebuilt without anything new end where they ended …
    ([], ("run", "--full-refresh"), ["0001/0001"]),
    # … and the next run knows where that was.
    (
        [_insert("0004/0001", "t4")],
        RUN,
        ["0001/0001", "0001/0002", "0002/0001", "0003/0001"],
    ),
)
DELIVERIES = 3


@dataclass
class Built:
    """A project built in the runs of MOVING, with what was visible of source `moving` after each."""

    project: DbtProject
    visible: list[list[str]]


@pytest.fixture(scope="module")
def built(server: ServerConfig, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Built]:
    folder = quick_project_folder(tmp_path_factory.mktemp("cdc_whole"))
    project = DbtProject(folder, server, "cdc_whole")
    project.drop_schemas()
    project.dbt("seed")
    visible = []
    deliveries = {
        seed: delivered(seed, random_history(seed, is_plausible=True), DELIVERIES) for seed in SEEDS
    }
    for run, (messages, command, _) in enumerate(MOVING):
        batch: list[tuple[Any, ...]] = list(messages)
        for seed, bodies in deliveries.items():
            if run < DELIVERIES:
                batch.extend(
                    (item.body, f"t{seed}", item.topic, item.partition, item.offset)
                    for item in bodies[run]
                )
        if batch:
            land_together(project, batch)
        left_out = NEW_MESSAGES_ALONE if run else ()
        project.dbt(*command, *left_out, cdc_visibility="transaction")
        rows = project.query("select row_key from {cdc}.cdc_current_rows where source = 'moving'")
        visible.append(sorted(json.loads(row[0])[0] for row in rows))
    yield Built(project, visible)
    project.drop_schemas()


def test_what_is_visible_after_five_runs_is_what_whole_transactions_give(built: Built) -> None:
    assert differences_from_oracle(built.project, visible=_before_the_last_transaction) == []


def test_a_later_transaction_moves_the_end_on_and_a_late_part_or_a_rebuild_does_not_lose_it(
    built: Built,
) -> None:
    assert built.visible == [expected for _, _, expected in MOVING]


@pytest.mark.slow
def test_a_lifted_source_is_shown_whole_and_health_says_what_the_others_wait_for(
    built: Built,
) -> None:
    project, lifted = built.project, f"t{SEEDS[0]}"

    def marts_of_others() -> list[tuple[Any, ...]]:
        rows = project.query(CURRENT_ROWS) + project.query(VERSIONS)
        return [row for row in rows if row[0] != lifted]

    before = marts_of_others()
    project.dbt("run", cdc_visibility="transaction", cdc_visibility_lifted_for=[lifted])
    assert marts_of_others() == before
    assert differences_from_oracle(project, lambda source: source == lifted) == []
    sent = {
        source: (hidden, waits)
        for source, hidden, waits in project.query(
            "select source, sum(hidden_changes), max(waits_for_transaction) from {cdc}.cdc_health group by source"
        )
    }
    assert sent.pop(lifted) == (0, None)
    assert all(hidden > 0 and waits for hidden, waits in sent.values()), sent


@pytest.mark.slow
def test_without_the_variable_everything_is_shown_again(built: Built) -> None:
    built.project.dbt("run")
    assert differences_from_oracle(built.project) == []
    assert built.project.query("select sum(hidden_changes) from {cdc}.cdc_health") == [(0,)]

"""The benchmark's generator: what it calls true is what its messages say."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchmarks.benchmark_server import VENDOR_FOLDERS, folder
from benchmarks.history import DELETE, Change, History, write


def _encode(change: Change) -> list[str]:
    return [json.dumps([change.number, change.key, change.operation, change.values[6]])]


@pytest.fixture(scope="module")
def feed(tmp_path_factory: pytest.TempPathFactory) -> tuple[History, list[dict[str, Any]]]:
    path = tmp_path_factory.mktemp("feed") / "feed.parquet"
    history = write(path, _encode, [4000, 500, 1], seed=3, rows=300)
    return history, pq.read_table(path).to_pylist()


@pytest.mark.parametrize("batches", [1, 2, 3])
def test_the_truth_is_what_the_delivered_messages_say(
    feed: tuple[History, list[dict[str, Any]]], batches: int
) -> None:
    history, messages = feed
    events = sorted(
        {
            tuple(json.loads(message["value"]))
            for message in messages
            if message["landing_batch"] <= batches
        }
    )
    rows: dict[int, list[tuple[int, int, int]]] = defaultdict(list)
    for number, key, operation, quantity in events:
        rows[key].append((number, operation, int(quantity)))
    versions = closed = numbers = deleted = live = quantities = micros = version_numbers = 0
    for sent in rows.values():
        count = 0
        for place, (number, operation, quantity) in enumerate(sent):
            if operation == DELETE:
                continue
            count += 1
            versions += 1
            numbers += number
            version_numbers += count
            if place + 1 < len(sent):
                closed += 1
                after = sent[place + 1][0]
                micros += ((after - 1) // 5 - (number - 1) // 5) * 185_000
            else:
                live += number
                quantities += quantity
        deleted += sent[-1][1] == DELETE
    expected_totals = history.expected_totals(batches)
    assert (expected_totals.changes, expected_totals.rows, expected_totals.deleted_rows) == (
        len(events),
        len(rows),
        deleted,
    )
    assert (expected_totals.live_event_numbers, expected_totals.live_quantities) == (
        live,
        quantities,
    )
    assert (expected_totals.versions, expected_totals.version_event_numbers) == (versions, numbers)
    assert (expected_totals.version_numbers, expected_totals.closed_versions) == (
        version_numbers,
        closed,
    )
    assert expected_totals.valid_micros == micros


def test_some_messages_come_late_and_some_twice(
    feed: tuple[History, list[dict[str, Any]]],
) -> None:
    _, messages = feed
    arrived = [json.loads(message["value"])[0] for message in messages]
    assert arrived != sorted(arrived)
    assert len(set(arrived)) < len(arrived)


@pytest.mark.parametrize("vendor", VENDOR_FOLDERS)
def test_every_vendor_writes_json_of_the_same_history(vendor: str, tmp_path: Path) -> None:
    path = tmp_path / "feed.parquet"
    history = write(path, folder(vendor, "messages").encode, [200, 1], seed=3, rows=20)
    bodies = [json.loads(message["value"]) for message in pq.read_table(path).to_pylist()]
    assert len(bodies) >= len(history.delivered[0])
    assert all(isinstance(body, dict) for body in bodies)

"""Landing from a real broker: what arrives is what was sent, once, whatever stopped in between."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import astuple
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from benchmarks.benchmark_server import configuration, folder
from benchmarks.history import ExpectedTotals, sums_of_marts, write
from tests.python.helpers.kafka_project import (
    Headers,
    KafkaProject,
    Landed,
    Sent,
    fixture_messages,
)
from tests.python.helpers.samples import VENDORS

pytestmark = pytest.mark.server

# A header that comes twice; a tombstone; bytes that are no text as body, key and header.
UNUSUAL_MESSAGES: list[tuple[Sent, Landed]] = [
    ((b"{}", None, [("h", b"1"), ("h", b"2"), ("n", None)]), ("{}", None, {"h": "2", "n": None})),
    ((None, b"gone", []), (None, "gone", None)),
    (
        (b'{"a":\xff}', b"\xfe\xff", [("h", b"\xff")]),
        (
            b64encode(b'{"a":\xff}').decode(),
            b64encode(b"\xfe\xff").decode(),
            {
                "h": b64encode(b"\xff").decode(),
                "cdc-encoding": "base64",
                "cdc-problem": "the body is not UTF-8",
            },
        ),
    ),
]
MESSAGES_A_VENDOR = 20_000


@pytest.fixture(scope="module")
def landed(make_kafka_project: Callable[..., KafkaProject]) -> tuple[KafkaProject, str]:
    """Messages of two vendors, landed by two jobs, the first of which did not come to its end."""
    kafka, vendors = make_kafka_project("cdc_kafka"), ["savegress", "sequin"]
    for vendor in vendors:
        sent = [message for message, _ in fixture_messages(vendor)]
        kafka.send(vendor, sent[:20])
    kafka.land("--batch-size", "12", vendors=vendors)
    for vendor in vendors:
        kafka.forget_the_end(vendor)
        sent = [message for message, _ in fixture_messages(vendor) + UNUSUAL_MESSAGES]
        kafka.send(vendor, sent[20:])
    # One of them was not even written into the ledger.
    kafka.project.query(
        "delete from {raw}._landed_files where vendor = 'sequin' and state = 'landed'"
    )
    return kafka, kafka.land(vendors=vendors)


@pytest.mark.parametrize("vendor", ["savegress", "sequin"])
def test_every_message_lands_once_with_body_key_and_headers_as_they_were_sent(
    landed: tuple[KafkaProject, str], vendor: str
) -> None:
    kafka, _ = landed
    wanted = [message for _, message in fixture_messages(vendor) + UNUSUAL_MESSAGES]
    found = [
        (value, key, headers and json.loads(headers))
        for value, key, headers in kafka.project.query(
            "select value, key, to_json(headers, map('ignoreNullFields', 'false'))"
            f" from {{raw}}.{vendor} where source = 'bench' and topic = '{kafka.topic(vendor)}'"
        )
    ]
    assert sorted(found, key=str) == sorted(wanted, key=str)
    assert kafka.places(vendor) == (len(wanted), len(wanted))


def test_a_job_says_what_it_landed_what_was_landed_and_what_is_no_text(
    landed: tuple[KafkaProject, str],
) -> None:
    _, said = landed
    for says in (
        "sequin bench: micro-batch 1 was landed",
        "savegress bench: micro-batch 1 was landed",
        "source bench: 18 messages in 1 micro-batches, 1 of them not decoded",
    ):
        assert says in said


def _expected_totals(vendor: str, path: Path) -> tuple[list[Sent], ExpectedTotals]:
    """Messages of a history, late and repeated ones among them, and what is true of it."""
    messages = folder(vendor, "messages")
    history = write(path, messages.encode, [MESSAGES_A_VENDOR], 7, 2_000)
    bodies: list[str] = pq.read_table(path, columns=["value"]).column("value").to_pylist()
    headers: Headers = [("savegress-operation", b"")] if vendor == "savegress" else []
    sent: list[Sent] = [
        (body.encode(), str(number % 97).encode(), headers) for number, body in enumerate(bodies)
    ]
    return sent, history.expected_totals(1)


@pytest.mark.slow
def test_marts_of_100_000_messages_are_right_whatever_was_killed_between_and_delivered_again(
    make_kafka_project: Callable[..., KafkaProject], tmp_path: Path
) -> None:
    kafka = make_kafka_project("cdc_kafka_many")
    project = kafka.project
    # Messages of this vendor name their table by the topic.
    kafka.topics = {"qlik": "shop.orders"}
    expected_totals_of: dict[str, ExpectedTotals] = {}
    sent: dict[str, list[Sent]] = {}
    for vendor in VENDORS:
        sent[vendor], expected_totals_of[vendor] = _expected_totals(
            vendor, tmp_path / f"{vendor}.parquet"
        )
        kafka.send(vendor, sent[vendor][:10_000])
    kafka.land_until_killed("--every", "1s", "--batch-size", "2000", vendors=VENDORS, after=7)
    for vendor, messages in sent.items():
        messages[10_000:10_000] = messages[9_000:10_000]
        kafka.send(vendor, messages[10_000:])
    kafka.land_until_killed("--batch-size", "4000", vendors=VENDORS, after=4)
    print("\n" + kafka.land(vendors=VENDORS))
    project.dbt("seed")
    for vendor in VENDORS:
        assert kafka.places(vendor) == (len(sent[vendor]), len(sent[vendor]))
        for values in configuration(vendor):
            project.query(f"insert into {{work}}.cdc_tables values {values}")
    project.dbt("run")
    for vendor, expected_totals in expected_totals_of.items():
        found: tuple[Any, ...] = project.query(sums_of_marts(project.schema, vendor))[0]
        assert found == astuple(expected_totals), vendor
        print(
            f"{vendor}: {len(sent[vendor]):,} messages, {expected_totals.changes:,} changes: marts as expected"
        )
    assert sum(map(len, sent.values())) >= 100_000

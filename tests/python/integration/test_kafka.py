"""Landing from a real broker: what arrives is what was sent, once, whatever stopped in between."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
from base64 import b64encode
from collections.abc import Callable, Iterator
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from confluent_kafka import Producer

from benchmarks.history import Truth, sums_of_marts, write
from benchmarks.laboratory import configuration, folder
from engine.config import REPOSITORY
from landing.bodies import Message
from landing.encodings import as_json, decoders
from tests.python.broker import running_broker
from tests.python.dbt_project import DbtProject
from tests.python.integration.proofs import differences
from tests.python.integration.samples import VENDORS
from tests.python.scenario.oracle import comparable
from tests.python.vendors.savegress.binary import as_protobuf
from tests.python.vendors.sqlserver_ces.binary import as_avro

pytestmark = pytest.mark.server

Headers = list[tuple[str, str | bytes | None]]
Sent = tuple[bytes | None, bytes | None, Headers]  # value, key, headers
Landed = tuple[str | None, str | None, dict[str, Any] | None]

# A header that comes twice; a tombstone; bytes that are no text as body, key and header.
ODD: list[tuple[Sent, Landed]] = [
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


def fixture_messages(vendor: str) -> list[tuple[Sent, Landed]]:
    """The messages of the fixture scenario as a producer sends them, and as they are to land."""
    path = REPOSITORY / "seeds" / vendor / f"raw_{vendor}__fixtures.csv"
    messages: list[tuple[Sent, Landed]] = []
    with path.open(newline="") as file:
        for line in csv.DictReader(file, delimiter="\t"):
            value, key = line["value"], line["key"] or None
            headers = json.loads(line["headers_json"] or "{}")
            sent_headers: Headers = [(name, text.encode()) for name, text in headers.items()]
            sent = (value.encode(), key.encode() if key else None, sent_headers)
            messages.append((sent, (value, key, headers or None)))
    return messages


@dataclass
class Landings:
    """A broker, and jobs that land what it holds for a project."""

    project: DbtProject
    servers: str
    checkpoint: Path
    source: str = "bench"

    def topic(self, vendor: str) -> str:
        """A topic of this project alone; Qlik names the table by it."""
        name = f"{self.project.name}.{vendor.replace(':', '.')}"
        return "shop.orders" if vendor == "qlik" else name

    def send(self, vendor: str, messages: list[Sent]) -> None:
        """Send messages to a vendor's topic, spread over its four partitions."""
        producer = Producer(
            {"bootstrap.servers": self.servers, "queue.buffering.max.messages": 1_000_000}
        )
        for number, (value, key, headers) in enumerate(messages):
            producer.produce(self.topic(vendor), value, key, partition=number % 4, headers=headers)
        assert producer.flush(60) == 0

    def start(self, *arguments: str, vendors: list[str]) -> subprocess.Popen[str]:
        """Start a job with one feed for each vendor, which may be `vendor:encoding`."""
        command = [
            sys.executable, "-m", "landing.kafka", "--servers", self.servers,
            "--raw-schema", self.project.raw_schema, "--checkpoint", self.checkpoint.as_uri(),
            *arguments,
        ]  # fmt: skip
        for vendor in vendors:
            command += ["--feed", vendor, self.source, re.escape(self.topic(vendor))]
        environment = {"CDC_DATA_DIR": str(self.project.server.data_dir)}
        return subprocess.Popen(
            command,
            cwd=REPOSITORY,
            env=os.environ | self.project.environment | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def land(self, *arguments: str, vendors: list[str]) -> str:
        """Let a job land what there is, and return what it said."""
        job = self.start(*arguments, vendors=vendors)
        said = job.communicate()[0]
        assert job.returncode == 0, said
        return said

    def land_until_killed(self, *arguments: str, vendors: list[str], after: int) -> None:
        """Kill a job without warning once it has landed some micro-batches."""
        job = self.start(*arguments, vendors=vendors)
        assert job.stdout is not None
        said = []
        for line in job.stdout:
            said.append(line)
            if sum(", batch " in earlier for earlier in said) == after:
                break
        job.send_signal(signal.SIGKILL)
        assert job.wait() == -signal.SIGKILL, "".join(said)

    def places(self, vendor: str) -> tuple[int, int]:
        """How many messages have landed, and from how many places."""
        [(messages, places)] = self.project.query(
            f"select count(*), count(distinct topic, `partition`, `offset`) from {{raw}}.{vendor}"
        )
        return messages, places

    def forget_the_end(self, vendor: str) -> None:
        """Leave a checkpoint as a job leaves it that is killed between landing and Spark's note of it."""
        commits = self.checkpoint / vendor / self.source / "commits"
        last = max(int(file.name) for file in commits.iterdir() if file.name.isdecimal())
        (commits / str(last)).unlink()
        (commits / f".{last}.crc").unlink(missing_ok=True)


@pytest.fixture(scope="module")
def make_landings(
    make_project: Callable[..., DbtProject], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Callable[..., Landings]]:
    """Makes projects whose messages come from one broker."""
    with running_broker(tmp_path_factory.mktemp("broker")) as servers:
        yield lambda name, **options: Landings(
            make_project(name, **options), servers, tmp_path_factory.mktemp(name)
        )


@pytest.fixture(scope="module")
def landed(make_landings: Callable[..., Landings]) -> tuple[Landings, str]:
    """Messages of two vendors, landed by two jobs, the first of which did not come to its end."""
    landings, vendors = make_landings("cdc_kafka"), ["savegress", "sequin"]
    for vendor in vendors:
        sent = [message for message, _ in fixture_messages(vendor)]
        landings.send(vendor, sent[:20])
    landings.land("--batch-size", "12", vendors=vendors)
    for vendor in vendors:
        landings.forget_the_end(vendor)
        sent = [message for message, _ in fixture_messages(vendor) + ODD]
        landings.send(vendor, sent[20:])
    # One of them was not even written into the ledger.
    landings.project.query(
        "delete from {raw}._landed_files where vendor = 'sequin' and state = 'landed'"
    )
    return landings, landings.land(vendors=vendors)


@pytest.mark.parametrize("vendor", ["savegress", "sequin"])
def test_every_message_lands_once_with_body_key_and_headers_as_they_were_sent(
    landed: tuple[Landings, str], vendor: str
) -> None:
    landings, _ = landed
    wanted = [message for _, message in fixture_messages(vendor) + ODD]
    found = [
        (value, key, headers and json.loads(headers))
        for value, key, headers in landings.project.query(
            "select value, key, to_json(headers, map('ignoreNullFields', 'false'))"
            f" from {{raw}}.{vendor} where source = 'bench' and topic = '{landings.topic(vendor)}'"
        )
    ]
    assert sorted(found, key=str) == sorted(wanted, key=str)
    assert landings.places(vendor) == (len(wanted), len(wanted))


def test_a_job_says_what_it_landed_what_was_landed_and_what_is_no_text(
    landed: tuple[Landings, str],
) -> None:
    _, said = landed
    for says in (
        "sequin bench: micro-batch 1 was landed",
        "savegress bench: micro-batch 1 was landed",
        "source bench: 18 messages in 1 micro-batches, 1 of them not decoded",
    ):
        assert says in said


def _truth(vendor: str, path: Path) -> tuple[list[Sent], Truth]:
    """Messages of a history, late and repeated ones among them, and what is true of it."""
    messages = folder(vendor, "messages")
    history = write(path, messages.encode, [MESSAGES_A_VENDOR], 7, 2_000)
    bodies: list[str] = pq.read_table(path, columns=["value"]).column("value").to_pylist()
    headers: Headers = [("savegress-operation", b"")] if vendor == "savegress" else []
    sent: list[Sent] = [
        (body.encode(), str(number % 97).encode(), headers) for number, body in enumerate(bodies)
    ]
    return sent, history.truth(1)


@pytest.mark.slow
def test_marts_of_100_000_messages_are_right_whatever_was_killed_between_and_delivered_again(
    make_landings: Callable[..., Landings], tmp_path: Path
) -> None:
    landings = make_landings("cdc_kafka_many")
    project = landings.project
    truths: dict[str, Truth] = {}
    sent: dict[str, list[Sent]] = {}
    for vendor in VENDORS:
        sent[vendor], truths[vendor] = _truth(vendor, tmp_path / f"{vendor}.parquet")
        landings.send(vendor, sent[vendor][:10_000])
    landings.land_until_killed("--every", "1s", "--batch-size", "2000", vendors=VENDORS, after=7)
    for vendor, messages in sent.items():
        messages[10_000:10_000] = messages[9_000:10_000]
        landings.send(vendor, messages[10_000:])
    landings.land_until_killed("--batch-size", "4000", vendors=VENDORS, after=4)
    print("\n" + landings.land(vendors=VENDORS))
    project.dbt("seed")
    for vendor in VENDORS:
        assert landings.places(vendor) == (len(sent[vendor]), len(sent[vendor]))
        for values in configuration(vendor):
            project.query(f"insert into {{work}}.cdc_tables values {values}")
    project.dbt("run")
    for vendor, truth in truths.items():
        found: tuple[Any, ...] = project.query(sums_of_marts(project.schema, vendor))[0]
        assert found == astuple(truth), vendor
        print(
            f"{vendor}: {len(sent[vendor]):,} messages, {truth.changes:,} changes: marts as expected"
        )
    assert sum(map(len, sent.values())) >= 100_000


ENCODINGS: dict[str, Callable[[str], bytes | None]] = {
    "savegress:protobuf": as_protobuf,
    "sqlserver_ces:avro": as_avro,
}
BINARY_VENDORS = tuple(feed.partition(":")[0] for feed in ENCODINGS)


def _image(text: str | None) -> Any:
    return text and comparable(json.loads(text))


def _marts(project: DbtProject) -> dict[str, set[tuple[Any, ...]]]:
    """Changelog, current rows and versions; the columns of an image in any order."""
    changes = project.query(
        # The text of an image is part of what a change of Savegress is, and a Struct has no order.
        "select before, after, vendor, if(vendor = 'savegress', message_id, change_id), operation,"
        " table_name, row_key, row_key_before, after_image, before_image, position, committed_at, snapshot_at, transaction_id from {cdc}.cdc_changelog"
    )
    rows = project.query(
        "select `row`, vendor, table_name, row_key, is_deleted from {cdc}.cdc_current_rows"
    )
    versions = project.query(
        "select `row`, vendor, table_name, row_key, version_number, valid_from, valid_to, valid_from_position"
        " from {cdc}.cdc_row_versions"
    )
    return {
        "changes": {(_image(before), _image(after), *row) for before, after, *row in changes},
        "current rows": {(_image(image), *row) for image, *row in rows},
        "versions": {(_image(image), *row) for image, *row in versions},
    }


@pytest.mark.slow
def test_avro_and_protobuf_give_the_marts_of_their_json_twins(
    make_project: Callable[..., DbtProject], make_landings: Callable[..., Landings]
) -> None:
    twin = make_landings("cdc_kafka_twin", vendors=BINARY_VENDORS)
    twin.source = "fixtures"
    json_project = make_project("cdc_kafka_json", vendors=BINARY_VENDORS)
    of_all = (REPOSITORY / "seeds" / "config" / "fixture_cdc_tables.csv").read_text()
    lines = [
        line
        for line in of_all.splitlines(keepends=True)
        if line.startswith(("vendor", *BINARY_VENDORS))
    ]
    for project in (twin.project, json_project):
        (project.folder / "seeds" / "config" / "cdc_tables.csv").write_text("".join(lines))
        project.dbt("seed")
    for feed, encode in ENCODINGS.items():
        vendor, _, encoding = feed.partition(":")
        messages = fixture_messages(vendor)
        decode = decoders(vendor)[encoding]
        bodies = [encode(text) for _, (text, *_) in messages if text is not None]
        # What the encoding cannot hold is sent as JSON: an integer that a double bends.
        bodies = [
            None if "cdc-warning" in as_json(body, encoding, decode)[1] else body for body in bodies
        ]
        encoded = [body for body in bodies if body is not None]
        print(f"{vendor}: {len(encoded)} of {len(bodies)} messages as {encoding}, the rest as JSON")
        assert len(encoded) >= 20
        twin.send(
            feed,
            [
                (body or sent[0], *sent[1:])
                for body, (sent, _) in zip(bodies, messages, strict=True)
            ],
        )
        json_project.land(
            vendor,
            "fixtures",
            [Message(value, key=key, headers=headers) for _, (value, key, headers) in messages],
        )
    print(twin.land(vendors=list(ENCODINGS)))
    for vendor in BINARY_VENDORS:
        problems = twin.project.query(
            f"select count(headers['cdc-problem']), count(headers['cdc-encoding']) from {{raw}}.{vendor}"
        )
        assert problems[0][0] == 0
        assert problems[0][1] >= 20
    for project in (twin.project, json_project):
        project.dbt("run")
    found, wanted = _marts(twin.project), _marts(json_project)
    for mart, rows in wanted.items():
        assert len(rows) > 20
        assert differences(mart, rows, found[mart]) == []

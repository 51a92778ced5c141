"""What lands from a real broker: the fixture scenario as a producer sends it, and jobs that land it."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from confluent_kafka import Producer

from cdc_changelog.config import REPOSITORY
from tests.python.helpers.dbt_project import DbtProject

Headers = list[tuple[str, str | bytes | None]]
Sent = tuple[bytes | None, bytes | None, Headers]  # value, key, headers
Landed = tuple[str | None, str | None, dict[str, Any] | None]


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
class KafkaProject:
    """A broker, and jobs that land what it holds for a project."""

    project: DbtProject
    servers: str
    checkpoint: Path
    source: str = "bench"
    topics: dict[str, str] = field(default_factory=dict)

    def topic(self, vendor: str) -> str:
        """A topic of this project alone, unless a test names another."""
        return self.topics.get(vendor, f"{self.project.name}.{vendor.replace(':', '.')}")

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
            sys.executable, "-m", "cdc_changelog.landing.kafka", "--servers", self.servers,
            "--raw-schema", self.project.raw_schema, "--checkpoint", self.checkpoint.as_uri(),
            *arguments,
        ]  # fmt: skip
        for vendor in vendors:
            command += ["--feed", vendor, self.source, re.escape(self.topic(vendor))]
        environment = {
            "CDC_DATA_DIR": str(self.project.server.data_dir),
            # A job of seconds ends before Java's second compiler has earned its time.
            "JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1",
        }
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

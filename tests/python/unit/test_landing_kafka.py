"""What the command line of `python -m cdc_changelog.landing.kafka` accepts."""

from __future__ import annotations

import argparse
from pathlib import Path

import pytest

from cdc_changelog.config import ServerConfig
from cdc_changelog.landing.bodies import LandingError
from cdc_changelog.landing.kafka import job_of, option, parser, seconds, secret
from cdc_changelog.landing.kafka_stream import Feed, Job, check_servers, stream_failure
from cdc_changelog.server.locks import free_port

CONFIG = ServerConfig(data_dir=Path("/data"))


def _job(*words: str) -> Job:
    return job_of(parser().parse_args(["--servers", "broker:9092", *words]), CONFIG)


def test_a_feed_is_a_vendor_a_source_and_a_pattern_of_topics() -> None:
    job = _job("--feed", "sequin", "shop", "a[.].*", "--feed", "qlik", "erp", "b")
    assert job.feeds == (Feed("sequin", "shop", "a[.].*"), Feed("qlik", "erp", "b"))
    assert job.checkpoint == "file:///data/checkpoints"
    assert job.every_seconds is None


def test_options_are_passed_on_and_win() -> None:
    job = _job(
        "--feed", "sequin", "shop", "a", "--from", "latest",
        "--option", "kafka.isolation.level=read_uncommitted", "--option", "x=a=b",
    )  # fmt: skip
    assert job.options == {
        "kafka.bootstrap.servers": "broker:9092",
        "kafka.isolation.level": "read_uncommitted",
        "startingOffsets": "latest",
        "maxOffsetsPerTrigger": "1000000",
        "x": "a=b",
    }


@pytest.mark.parametrize(
    ("feeds", "says"),
    [
        ([("sequn", "shop", "a")], "vendor is 'sequn'; expected one of qlik, "),
        ([("sequin", " ", "a")], "source is empty"),
        ([("sequin:avro", "shop", "a")], "encoding is 'avro'; sequin is read from JSON alone"),
        ([("savegress:avro", "shop", "a")], "encoding is 'avro'; savegress is read from protobuf"),
        ([("sequin", "shop", "a"), ("sequin", "shop", "b")], "the same vendor and source"),
    ],
)
def test_feeds_that_make_no_sense_are_rejected(
    feeds: list[tuple[str, str, str]], says: str
) -> None:
    with pytest.raises(LandingError, match=says):
        _job(*(word for feed in feeds for word in ("--feed", *feed)))


@pytest.mark.parametrize(
    "name", ["kafka.sasl.jaas.config", "kafka.ssl.key.password", "kafka.ssl.keystore.key"]
)
def test_a_secret_is_not_taken_from_the_command_line(name: str) -> None:
    with pytest.raises(argparse.ArgumentTypeError, match=f"--secret {name}="):
        option(f"{name}=hunter2")


def test_a_secret_is_the_value_of_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JAAS", "login required;")
    assert secret("kafka.sasl.jaas.config=JAAS") == ("kafka.sasl.jaas.config", "login required;")
    with pytest.raises(argparse.ArgumentTypeError, match="no variable NO_SUCH"):
        secret("kafka.sasl.jaas.config=NO_SUCH")


def test_spans_have_a_unit() -> None:
    assert [seconds(text) for text in ("30s", "5m", "1h")] == [30, 300, 3600]
    for wrong in ("5", "0s", "5d", ""):
        with pytest.raises(argparse.ArgumentTypeError):
            seconds(wrong)


def test_servers_where_nobody_listens_are_named() -> None:
    with pytest.raises(LandingError, match="expected host:port"):
        check_servers("broker")
    with pytest.raises(LandingError, match="No broker listens on"):
        check_servers(f"127.0.0.1:{free_port()}")


def test_a_failure_of_a_stream_is_named_without_what_spark_puts_around_it() -> None:
    inside = "Offsets out of range. Some data may have been lost"
    around = (
        "[STREAM_FAILED] Query [id = 1, runId = 2] terminated with exception: {} SQLSTATE: XXKST"
    )
    assert stream_failure(RuntimeError(around.format(inside))) == inside
    ours = "x cdc_changelog.landing.bodies.LandingError: No Thrift server on 127.0.0.1:1\n\tat y"
    assert stream_failure(RuntimeError(ours)) == "No Thrift server on 127.0.0.1:1"

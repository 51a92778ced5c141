"""Land messages from Kafka, or from the Kafka endpoint of Event Hubs, into `cdc_raw.<vendor>`.

    python -m cdc_changelog.landing.kafka --servers broker:9092 --feed VENDOR shop 'shop[.].*'

Each feed is a stream of its own: a vendor, a source (name of the feed) and a pattern of topics.
What is there is landed, then the job ends; with `--every 5m` it goes on until Ctrl-C. Bodies, keys
and headers arrive as they are. A micro-batch lands exactly once: the checkpoint says what was
read, the ledger of the raw schema what was landed.

The job is a Spark process of its own; tables are created and claimed through the Thrift server that
CDC_THRIFT_HOST and CDC_THRIFT_PORT name. Under `spark-submit cdc_changelog/landing/kafka.py …`
master, memory and jars are the cluster's.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from pathlib import Path

if not __package__:
    # spark-submit runs this file as a script: make our packages importable.
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

from cdc_changelog.config import CdcError, ServerConfig, config_from_environment
from cdc_changelog.landing.bodies import LandingError
from cdc_changelog.landing.encodings import decoders
from cdc_changelog.landing.kafka_stream import Feed, Job, run
from cdc_changelog.landing.schemas import REGISTRY_USER, schema_place
from cdc_changelog.project import known_vendors, raw_schema

SECONDS = {"s": 1, "m": 60, "h": 3600}
SECRET_NAMES = re.compile(r"jaas|password|secret|token|[.]key$", re.IGNORECASE)


def seconds(text: str) -> int:
    """Return a span such as `30s`, `5m` or `1h` in seconds."""
    found = re.fullmatch(r"([1-9][0-9]*)([smh])", text)
    if not found:
        raise argparse.ArgumentTypeError(f"{text!r}; expected a span such as 30s, 5m or 1h")
    return int(found[1]) * SECONDS[found[2]]


def _pair(text: str, expected: str) -> tuple[str, str]:
    name, equals, rest = text.partition("=")
    if not equals or not name:
        raise argparse.ArgumentTypeError(f"{text!r}; expected {expected}")
    return name, rest


def option(text: str) -> tuple[str, str]:
    """Return `name=value` as a pair; a secret does not belong on a command line."""
    name, value = _pair(text, "name=value")
    if SECRET_NAMES.search(name):
        raise argparse.ArgumentTypeError(
            f"{name} is a secret; put it into a variable of the environment and give"
            f" --secret {name}=NAME_OF_THE_VARIABLE"
        )
    return name, value


def secret(text: str) -> tuple[str, str]:
    """Return `name=VARIABLE` as a pair of name and the variable's value."""
    name, variable = _pair(text, "name=VARIABLE")
    if variable not in os.environ:
        raise argparse.ArgumentTypeError(f"{name}: the environment has no variable {variable}")
    return name, os.environ[variable]


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m cdc_changelog.landing.kafka",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--servers", required=True, help="host:port of brokers, by commas")
    parser.add_argument(
        "--feed",
        nargs=3,
        action="append",
        required=True,
        metavar=("VENDOR[:ENCODING]", "SOURCE", "TOPICS"),
        help="a vendor (with :avro or :protobuf where bodies are no JSON), the name of the feed,"
        " a pattern of its topics; may be given again",
    )
    parser.add_argument(
        "--checkpoint",
        help="folder of what was read, kept between starts (checkpoints in CDC_DATA_DIR)",
    )
    parser.add_argument(
        "--every", type=seconds, metavar="SPAN", help="go on, with a micro-batch every 30s, 5m, 1h"
    )
    parser.add_argument(
        "--from",
        dest="starting_offsets",
        default="earliest",
        choices=["earliest", "latest"],
        help="where a feed begins that has no checkpoint (earliest)",
    )
    parser.add_argument(
        "--batch-size",
        type=int,
        default=1_000_000,
        metavar="MESSAGES",
        help="messages of a micro-batch at most (1000000)",
    )
    parser.add_argument(
        "--option",
        type=option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="option of Spark's Kafka source, such as kafka.security.protocol=SASL_SSL",
    )
    parser.add_argument(
        "--secret",
        type=secret,
        action="append",
        default=[],
        metavar="NAME=VARIABLE",
        help="the same, its value taken from a variable of the environment",
    )
    parser.add_argument(
        "--schemas",
        metavar="PLACE",
        help="Avro schemas that no message brings along: a folder of ID.avsc and TOPIC.avsc, or the"
        f" URL of a schema registry ({REGISTRY_USER} holds name:password)",
    )
    parser.add_argument("--raw-schema", default=raw_schema())
    parser.add_argument("--memory", default="1g", help="of the job's Java process (1g)")
    return parser


def job_of(arguments: argparse.Namespace, config: ServerConfig) -> Job:
    """Return what a command line asks for; raise LandingError where it makes no sense."""
    feeds = tuple(
        Feed(vendor, source, topics, encoding or None)
        for words, source, topics in arguments.feed
        for vendor, _, encoding in [words.partition(":")]
    )
    for feed in feeds:
        if not feed.source.strip():
            raise LandingError("source is empty; give the feed a name: it scopes positions.")
        if feed.vendor not in known_vendors():
            raise LandingError(
                f"vendor is {feed.vendor!r}; expected one of {', '.join(known_vendors())}"
            )
        if feed.encoding is not None and feed.encoding not in decoders(feed.vendor):
            known = ", ".join(decoders(feed.vendor)) or "JSON alone"
            raise LandingError(f"encoding is {feed.encoding!r}; {feed.vendor} is read from {known}")
    if len({(feed.vendor, feed.source) for feed in feeds}) < len(feeds):
        raise LandingError("two feeds have the same vendor and source; give them one pattern.")
    options = {
        "kafka.bootstrap.servers": arguments.servers,
        # Messages of a transaction that was aborted were never sent.
        "kafka.isolation.level": "read_committed",
        "startingOffsets": arguments.starting_offsets,
        "maxOffsetsPerTrigger": str(arguments.batch_size),
        **dict(arguments.option),
        **dict(arguments.secret),
    }
    checkpoint = arguments.checkpoint or (config.data_dir / "checkpoints").as_uri()
    schemas = arguments.schemas and schema_place(arguments.schemas)
    return Job(feeds, options, checkpoint, arguments.raw_schema, arguments.every, schemas)


def main() -> int:
    """Run `python -m cdc_changelog.landing.kafka`."""
    arguments = parser().parse_args()
    began = time.monotonic()
    try:
        config = config_from_environment()
        job = job_of(arguments, config)
        landed = run(job, config, arguments.memory, lambda text: print(text, flush=True))
    except CdcError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    for feed, of_feed in zip(job.feeds, landed, strict=True):
        odd = f", {of_feed.not_decoded:,} of them not decoded" if of_feed.not_decoded else ""
        print(
            f"{job.raw_schema}.{feed.vendor}, source {feed.source}: {of_feed.messages:,} messages"
            f" in {of_feed.micro_batches} micro-batches{odd}"
        )
    print(f"{time.monotonic() - began:.1f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""`make bench-landing`: what landing from Kafka costs, beside Spark's bare Kafka source.

Both jobs read the same topic and write a Delta table, each as a process of its own, with the same
settings. The bare one writes what Spark's source gives it. Landing adds text, headers and the
ledger, and decodes where bodies are no JSON. A job with nothing to read says what a start costs.
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow.parquet as pq
from confluent_kafka import Producer
from rich.console import Console
from rich.table import Table

from benchmarks.benchmark_server import (
    SEED,
    VENDOR_FOLDERS,
    BenchmarkServer,
    WrongResultError,
    folder,
    open_benchmark_server,
)
from benchmarks.broker import running_broker
from benchmarks.history import write
from benchmarks.measure import cpu_seconds
from cdc_changelog.config import REPOSITORY, config_from_environment
from cdc_changelog.landing.encodings import decoders
from cdc_changelog.landing.kafka_stream import spark_session

Rows = Iterator[tuple[str, ...]]
RAW = "bench_landing_raw"
CHUNK = 20_000
MEMORY = "2g"


def encoders(vendor: str) -> dict[str, Callable[[str], bytes]]:
    """Return what writes a JSON body in another encoding, where a message can be read alone."""
    if not decoders(vendor):
        return {}
    module = importlib.import_module(f"tests.python.vendors.{vendor}.binary")
    names = {encoding: f"as_{encoding}" for encoding in decoders(vendor)}
    return {
        encoding: getattr(module, name) for encoding, name in names.items() if hasattr(module, name)
    }


FEEDS = [
    *VENDOR_FOLDERS,
    *(f"{vendor}:{encoding}" for vendor in VENDOR_FOLDERS for encoding in encoders(vendor)),
]


def bare(servers: str, topic: str, out: str) -> None:
    """Write what Spark's Kafka source gives into a Delta table, then end."""
    spark = spark_session(config_from_environment(), MEMORY)
    source = spark.readStream.format("kafka").option("kafka.bootstrap.servers", servers)
    messages = (
        source.option("subscribe", topic).option("startingOffsets", "earliest")
        .option("includeHeaders", "true").load()
    )  # fmt: skip
    query = (
        messages.writeStream.format("delta").option("checkpointLocation", f"{out}/checkpoint")
        .trigger(availableNow=True).start(f"{out}/table")
    )  # fmt: skip
    query.awaitTermination()
    spark.stop()


def send(servers: str, feed: str, topic: str, messages: int, path: Path) -> int:
    """Send a history's messages over four partitions, and return their number."""
    vendor, _, encoding = feed.partition(":")
    write(path, folder(vendor, "messages").encode, [messages], SEED, max(messages // 4, 1))
    encode = encoders(vendor)[encoding] if encoding else str.encode
    producer = Producer({"bootstrap.servers": servers, "linger.ms": 20})
    sent = 0
    for batch in pq.ParquetFile(path).iter_batches(CHUNK, columns=["value"]):
        for body in batch.column("value").to_pylist():
            producer.produce(topic, encode(body), partition=sent % 4)
            sent += 1
        producer.flush()
    return sent


def cost(command: list[str], server: int) -> float:
    """Run a job and return its CPU seconds, those of the server included."""
    of_server = cpu_seconds(server)
    job = subprocess.Popen(
        [sys.executable, "-m", *command], cwd=REPOSITORY, stdout=subprocess.PIPE, text=True
    )
    used = 0.0
    while job.poll() is None:
        # The processes below it are gone when it has ended.
        used = max(used, cpu_seconds(job.pid))
        time.sleep(0.1)
    if job.returncode:
        raise WrongResultError(f"{command[0]} failed: {job.communicate()[0]}")
    return used + cpu_seconds(server) - of_server


def measure(
    benchmark_server: BenchmarkServer, servers: str, feed: str, messages: int, work: Path
) -> Rows:
    """Send the messages of a feed, and let both jobs land them; one row of the table a job."""
    work.mkdir()
    vendor, topic = feed.partition(":")[0], f"bench.{work.name.replace(' ', '.')}"
    sent = send(servers, feed, topic, messages, work / "messages.parquet")
    jobs = {
        "bare": ["benchmarks.landing", "--bare", servers, topic, str(work)],
        "landing": [
            "cdc_changelog.landing.kafka", "--servers", servers, "--raw-schema", RAW, "--memory", MEMORY,
            "--checkpoint", (work / "landing").as_uri(), "--feed", feed, "bench", topic,
        ],
    }  # fmt: skip
    rates: list[float] = []
    for job, command in jobs.items():
        whole = cost(command, benchmark_server.jvm)
        start = cost(command, benchmark_server.jvm)
        rates.append(sent / (whole - start))
        yield (
            feed, f"{sent:,}", job, f"{whole:.1f}", f"{start:.1f}", f"{rates[-1]:,.0f}",
            f"{rates[0] / rates[-1]:.1f}",
        )  # fmt: skip
    [(landed,)] = benchmark_server.spark.sql(f"select count(*) from {RAW}.{vendor}").collect()
    benchmark_server.clear(RAW)
    if landed != sent:
        raise WrongResultError(f"{landed:,} of {sent:,} messages have landed.")


def main() -> None:
    """Measure feeds and print a table."""
    parser = argparse.ArgumentParser(
        prog="make bench-landing",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--messages", type=int, default=300_000)
    parser.add_argument("--feeds", nargs="+", default=FEEDS, metavar="VENDOR[:ENCODING]")
    parser.add_argument("--bare", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bare:
        bare(*arguments.bare)
        return
    table = Table(
        "feed", "messages", "job", "CPU s", "of it start", "messages a CPU s after it", "to bare"
    )
    with (
        tempfile.TemporaryDirectory() as name,
        running_broker(Path(name)) as servers,
        open_benchmark_server(config_from_environment()) as benchmark_server,
    ):
        # The server's first statements cost more than any later ones.
        list(measure(benchmark_server, servers, FEEDS[0], 100, Path(name) / "warm up"))
        for feed in arguments.feeds:
            work = Path(name) / feed.replace(":", ".")
            for row in measure(benchmark_server, servers, feed, arguments.messages, work):
                table.add_row(*row)
    Console().print(table)


if __name__ == "__main__":
    main()

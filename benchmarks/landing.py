"""`make bench-landing`: what landing from Kafka costs, beside Spark's bare Kafka source.

Both jobs read the same topic and write a Delta table, each as a process of its own, with the same
settings. The bare one writes what Spark's source gives it. Landing adds text, headers and the
ledger, and decodes where bodies are no JSON. A job with nothing to read says what a start costs.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pyarrow.parquet as pq
from confluent_kafka import Producer
from rich.console import Console
from rich.table import Table

from benchmarks.broker import running_broker
from benchmarks.history import write
from benchmarks.laboratory import SEED, VENDOR_FOLDERS, WrongResultError, folder
from benchmarks.measure import cpu_seconds
from engine.config import REPOSITORY, config_from_environment
from landing.kafka_stream import spark_session
from landing.raw_tables import connect, run_sql

RAW = "bench_landing_raw"
CHUNK = 20_000
MEMORY = "2g"


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


def send(servers: str, vendor: str, topic: str, messages: int, path: Path) -> int:
    """Send a history's messages over four partitions, and return their number."""
    write(path, folder(vendor, "messages").encode, [messages], SEED, max(messages // 4, 1))
    producer = Producer({"bootstrap.servers": servers, "linger.ms": 20})
    sent = 0
    for batch in pq.ParquetFile(path).iter_batches(CHUNK, columns=["value"]):
        for body in batch.column("value").to_pylist():
            producer.produce(topic, body.encode(), partition=sent % 4)
            sent += 1
        producer.flush()
    return sent


def cost(command: list[str], server: int) -> tuple[float, float]:
    """Run a job; return CPU seconds, those of the server included, and wall seconds."""
    began, of_server = time.monotonic(), cpu_seconds(server)
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
    return used + cpu_seconds(server) - of_server, time.monotonic() - began


def main() -> None:
    """Measure one feed a vendor and print a table."""
    parser = argparse.ArgumentParser(prog="make bench-landing", description=__doc__)
    parser.add_argument("--messages", type=int, default=1_000_000)
    parser.add_argument("--vendors", nargs="+", default=VENDOR_FOLDERS, choices=VENDOR_FOLDERS)
    parser.add_argument("--bare", nargs=3, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.bare:
        bare(*arguments.bare)
        return
    config = config_from_environment()
    server = int(json.loads(config.ready_file.read_text())["java_pid"])
    table = Table("feed", "messages", "job", "CPU s", "wall s", "messages a CPU s", "to bare")
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR")) as name:
        work = Path(name)
        with running_broker(work) as servers:
            for vendor in arguments.vendors:
                topic = f"bench.{vendor}"
                sent = send(servers, vendor, topic, arguments.messages, work / f"{vendor}.parquet")
                rates: dict[str, float] = {}
                out = work / vendor
                jobs = {
                    "bare": ["benchmarks.landing", "--bare", servers, topic, str(out)],
                    "landing": [
                        "landing.kafka", "--servers", servers, "--raw-schema", RAW, "--memory", MEMORY,
                        "--checkpoint", (out / "landing").as_uri(), "--feed", vendor, "bench", topic,
                    ],
                }  # fmt: skip
                for job, command in jobs.items():
                    for messages, label in ((sent, job), (0, f"{job}, nothing new")):
                        cpu, wall = cost(command, server)
                        rate = messages / cpu
                        rates[job] = rates.get(job, rate)
                        ratio = f"{rates['bare'] / rate:.2f}" if messages else ""
                        table.add_row(
                            vendor, f"{messages:,}", label, f"{cpu:.1f}", f"{wall:.1f}",
                            f"{rate:,.0f}" if messages else "", ratio,
                        )  # fmt: skip
                with contextlib.closing(connect(config.host, config.port)) as connection:
                    [(landed,)] = run_sql(connection, f"select count(*) from {RAW}.{vendor}")
                    run_sql(connection, f"drop schema {RAW} cascade")
                if landed != sent:
                    raise WrongResultError(f"{landed:,} of {sent:,} messages have landed.")
    Console().print(table)


if __name__ == "__main__":
    main()

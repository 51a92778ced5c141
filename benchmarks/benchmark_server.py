"""One local server, on which the floor, the hand-written job and the package take turns.

All three run in the same JVM with the same settings, so that what differs is the work.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pyspark

from benchmarks.history import ExpectedTotals, History, sums_of_marts, write
from benchmarks.measure import Cost, measured
from cdc_changelog.client import connect
from cdc_changelog.commands.build import left_out, vendors_to_read
from cdc_changelog.config import ServerConfig
from cdc_changelog.landing.raw_tables import create_raw_table
from cdc_changelog.project import run_dbt
from cdc_changelog.server import serve
from cdc_changelog.server.java import provide_java
from cdc_changelog.server.locks import DataDirLock
from cdc_changelog.server.settings import Setting
from python_udfs import registry

VENDOR_FOLDERS = tuple(
    sorted(path.parent.name for path in Path(__file__).parent.glob("*/messages.py"))
)
RAW, FLOOR, HAND_WRITTEN, PACKAGE, WORK = (
    "bench_raw", "bench_floor", "bench_hand_written", "bench_package", "bench_work",
)  # fmt: skip
SEED = 20261121
ALL_CORES = "local[*]"


class WrongResultError(Exception):
    """A job's tables do not say what is true: its cost counts for nothing."""


@dataclass(frozen=True)
class Feed:
    """Messages that were made once and may be landed often."""

    vendor: str
    path: Path
    history: History
    is_partial: bool


class BenchmarkServer:
    """A running server with schemas of its own; made by `open_benchmark_server`."""

    def __init__(self, config: ServerConfig, server: serve.RunningServer) -> None:
        """Take over a server that has been started."""
        assert server.jvm is not None
        self.config, self.spark, self.jvm = config, server.spark, server.jvm.pid
        self.folder = config.data_dir / "messages"
        self.folder.mkdir(exist_ok=True)
        self.is_built = False

    # ------------------------------------------------------------------ messages
    def feed(
        self,
        vendor: str,
        batch_sizes: Sequence[int],
        rows: int,
        style: str = "encode",
        hot_changes: int = 0,
    ) -> Feed:
        """Make messages, and say what is in them."""
        name = "-".join(
            map(str, [vendor, style, sum(batch_sizes), len(batch_sizes), rows, hot_changes])
        )
        path = self.folder / f"{name}.parquet"
        encode = getattr(folder(vendor, "messages"), style)
        history = write(path, encode, batch_sizes, SEED, rows, hot_changes)
        return Feed(vendor, path, history, style == "encode_partial")

    @staticmethod
    def can_be_partial(vendor: str) -> bool:
        """Whether a vendor's messages may hold the changed columns alone."""
        return hasattr(folder(vendor, "messages"), "encode_partial")

    def land(self, feed: Feed, first_batch: int, last_batch: int) -> None:
        """Append landing batches to the vendor's raw table; not measured."""
        with contextlib.closing(connect(self.config.host, self.config.port)) as connection:
            create_raw_table(connection, feed.vendor, RAW, self.config.table_format)
        self.sql(
            f"insert into {RAW}.{feed.vendor} (value, source, topic, `partition`, `offset`, landing_batch)"
            f" select value, source, topic, `partition`, `offset`, landing_batch from parquet.`{feed.path}`"
            f" where landing_batch between {first_batch} and {last_batch}"
        )

    def clear(self, *schemas: str) -> None:
        """Drop schemas with everything in them."""
        for schema in schemas:
            self.sql(f"drop schema if exists {schema} cascade")

    # ------------------------------------------------------------------ jobs
    def floor(self, vendor: str) -> Cost:
        """Read each message once with a typed parse and write its columns."""
        select = (Path(__file__).parent / vendor / "floor.sql").read_text()
        self.clear(FLOOR)
        self.sql(f"create schema {FLOOR}")
        with self.measured() as cost:
            self.sql(
                f"create table {FLOOR}.orders using delta as "
                + select.replace("{raw}", f"{RAW}.{vendor}")
            )
        self.clear(FLOOR)
        return cost

    def hand_written(
        self, vendor: str, first_batch: int, last_batch: int, expected_totals: ExpectedTotals
    ) -> Cost:
        """Run the hand-written job on some landing batches; a first batch of 1 begins anew."""
        if first_batch == 1:
            self.clear(HAND_WRITTEN)
            self.sql(f"create schema {HAND_WRITTEN}")
        job = folder(vendor, "hand_written").HandWrittenJob(
            self.spark, f"{RAW}.{vendor}", HAND_WRITTEN
        )
        with self.measured() as cost:
            job.run(first_batch, last_batch)
        self.spark.catalog.clearCache()
        check(
            expected_totals,
            self.spark.sql(
                f"""
                select
                    (select count(*) from {job.changelog}) as changes,
                    (select count(*) from {job.current}) as `rows`,
                    (select count_if(is_deleted) from {job.current}) as deleted_rows,
                    (select sum(event_number) from {job.current} where not is_deleted) as live_event_numbers,
                    (select sum(quantity) from {job.current} where not is_deleted) as live_quantities,
                    count(*) as versions,
                    sum(event_number) as version_event_numbers,
                    sum(version_number) as version_numbers,
                    count_if(not is_current) as closed_versions,
                    sum(unix_micros(valid_to) - unix_micros(valid_from)) as valid_micros
                from {job.history}
                """
            ).collect()[0],
        )
        return cost

    def begin_package(self, feed: Feed) -> None:
        """Make the package's schemas anew, with the configuration that a user of such a feed gives."""
        self.clear(PACKAGE, WORK)
        self.is_built = False
        self.dbt("seed")
        for values in configuration(feed.vendor, feed.is_partial):
            self.sql(f"insert into {WORK}.cdc_tables values {values}")

    def package(self, expected_totals: ExpectedTotals | None) -> Cost:
        """Do what `make run` does, on whatever has been landed since the last time."""
        with self.measured() as cost:
            self.run_what_is_new()
        if expected_totals is not None:
            self.check_package(expected_totals)
        return cost

    def run_what_is_new(self) -> None:
        """Ask what there is to do, as `make run` does; a first run does everything."""
        (self.target_path / "run_results.json").unlink(missing_ok=True)
        if not self.is_built:
            self.dbt("run")
            self.is_built = True
            return
        with contextlib.closing(connect(self.config.host, self.config.port)) as connection:
            raw = {vendor: f"{RAW}.{vendor}" for vendor in VENDOR_FOLDERS}
            unread = vendors_to_read(connection, raw, WORK)
        if unread is not None:
            self.dbt("run", "--exclude", *left_out("run", list(VENDOR_FOLDERS), unread))

    def check_package(self, expected_totals: ExpectedTotals) -> None:
        """Compare the package's tables with the expected_totals."""
        check(expected_totals, self.spark.sql(sums_of_marts(PACKAGE)).collect()[0])

    def dbt(self, command: str, *more: str) -> None:
        """Run dbt on the package's own models, as a user would."""
        arguments = {
            "cdc_raw_schema": RAW, "cdc_schema": PACKAGE, "cdc_work_schema": WORK,
        }  # fmt: skip
        done = run_dbt(
            "--quiet", command, *more,
            variables=arguments, target=self.target_path, environment=self.environment(),
        )  # fmt: skip
        if done.returncode:
            raise WrongResultError(
                f"dbt {command} failed:\n{done.stdout[-4000:]}{done.stderr[-2000:]}"
            )

    @property
    def target_path(self) -> Path:
        """Where dbt leaves its artifacts."""
        return self.config.data_dir / "target"

    def model_seconds(self) -> dict[str, float]:
        """Wall seconds of each model in the package's last run."""
        results = self._run_results()["results"]
        return {result["unique_id"].split(".")[-1]: result["execution_time"] for result in results}

    def run_seconds(self) -> float:
        """Wall seconds of the package's last run without what dbt needs to start and read the project."""
        return float(self._run_results()["elapsed_time"])

    def _run_results(self) -> dict[str, Any]:
        path = self.target_path / "run_results.json"
        if not path.exists():
            return {"results": [], "elapsed_time": 0.0}
        results: dict[str, Any] = json.loads(path.read_text())
        return results

    def environment(self) -> dict[str, str]:
        """The variables that dbt finds this server by."""
        return {
            "CDC_THRIFT_HOST": self.config.host,
            "CDC_THRIFT_PORT": str(self.config.port),
            "CDC_TABLE_FORMAT": self.config.table_format,
        }

    def sql(self, text: str) -> None:
        """Run one statement in the server."""
        self.spark.sql(text).collect()

    def measured(self) -> AbstractContextManager[Cost]:
        """Measure what is done within; gives a Cost."""
        return measured(self.jvm, self.config.warehouse_dir)


def folder(vendor: str, module: str) -> ModuleType:
    """A module of a vendor's folder: `messages`, `hand_written`."""
    return importlib.import_module(f"benchmarks.{vendor}.{module}")


def configuration(vendor: str, is_partial: bool = False) -> list[str]:
    """The lines of `cdc_tables` that a user of such a feed writes, each as SQL values."""
    name = "PARTIAL_CONFIGURATION" if is_partial else "CONFIGURATION"
    lines = getattr(folder(vendor, "messages"), name, ())
    values = [["null" if text is None else f"'{text}'" for text in line] for line in lines]
    return [f"({', '.join(line)})" for line in values]


def has_hand_written(vendor: str) -> bool:
    """Whether somebody wrote the hand-written job for a vendor."""
    return (Path(__file__).parent / vendor / "hand_written.py").exists()


def check(expected_totals: ExpectedTotals, found: Any) -> None:
    """Stop where the sums of a job are not those that are expected."""
    wrong = {
        name: (found[name], wanted)
        for name, wanted in asdict(expected_totals).items()
        if found[name] != wanted
    }
    if wrong:
        lines = [
            f"  {name}: found {found}, true is {wanted}" for name, (found, wanted) in wrong.items()
        ]
        raise WrongResultError(
            "A result is wrong, so its cost is not counted:\n" + "\n".join(lines)
        )


def executor_memory(master: str) -> str:
    """The memory of one executor of `local-cluster[executors,cores,megabytes]`; Spark's default elsewhere."""
    cluster = re.fullmatch(r"local-cluster\[\d+,\d+,(\d+)\]", master)
    return f"{cluster[1]}m" if cluster else "1g"


@contextmanager
def open_benchmark_server(
    config: ServerConfig, master: str = ALL_CORES
) -> Iterator[BenchmarkServer]:
    """Start a server of the configuration in its own folder; stop it at the end.

    `master` is Spark's: `local[1]` for one core, `local-cluster[2,1,3072]` for two executors of one
    core and 3 GB each, which are processes of their own, below the driver's.
    """
    config.data_dir.mkdir(parents=True, exist_ok=True)
    has_executors = master.startswith("local-cluster")
    with DataDirLock.take(config):
        provide_java()
        if has_executors:
            # Else its parts look for each other by the machine's own address, which may be closed.
            os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
        server = serve.start_local(
            config,
            Setting("spark.master", master, "As asked for."),
            Setting("spark.executor.memory", executor_memory(master), "All that the master gives."),
        )
        try:
            registry.register_all(server.spark)
            yield BenchmarkServer(config, server)
        finally:
            serve.stop_server(server)
            if has_executors:
                # What they leave behind in Spark's own folder.
                shutil.rmtree(Path(pyspark.__file__).parent / "work", ignore_errors=True)

"""`make bench`: floor, hand-written job and package on the same messages, in one run.

Every result is checked against the expected totals before its cost counts. Figures go to
docs/benchmarks/results.json, plots and tables to docs/benchmarks.md (`--no-report` leaves them).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console

from benchmarks.benchmark_server import (
    ALL_CORES,
    HAND_WRITTEN,
    PACKAGE,
    RAW,
    VENDOR_FOLDERS,
    WORK,
    BenchmarkServer,
    Feed,
    WrongResultError,
    has_hand_written,
    open_benchmark_server,
)
from benchmarks.measure import Cost
from benchmarks.report import JOBS, write_report
from cdc_changelog.config import REPOSITORY, CdcError, config_from_environment

RESULTS = REPOSITORY / "docs" / "benchmarks" / "results.json"
USUAL_CASES = ("full", "increment", "idle", "partial", "hot")
CASES = ("floor", *USUAL_CASES)
INCREMENTS = 3
Publish = Callable[[list[dict[str, Any]]], None]  # all records of this call so far


class Bench:
    """Runs cases and keeps what they cost, as a list of flat records."""

    def __init__(
        self,
        benchmark_server: BenchmarkServer,
        console: Console,
        repetitions: int,
        master: str = ALL_CORES,
    ) -> None:
        """Begin with nothing measured."""
        self.benchmark_server, self.console, self.repetitions = (
            benchmark_server,
            console,
            repetitions,
        )
        self.master = master
        self.records: list[dict[str, Any]] = []

    def note(
        self, case: str, vendor: str, messages: int, job: str, cost: Cost, **more: Any
    ) -> None:
        """Keep a cost and say it."""
        self.records.append(
            {
                "case": case,
                "vendor": vendor,
                "messages": messages,
                "job": job,
                "master": self.master,
                **asdict(cost),
                **more,
            }
        )
        self.console.print(
            f"  {case:10} {vendor:14} {messages:>9,} {job:13} {cost.cpu_seconds:7.1f} CPU s"
            f" {cost.wall_seconds:7.1f} s {cost.peak_megabytes:6.0f} MB"
            f" {cost.table_megabytes:7.1f} MB written"
        )

    def package(self, case: str, feed: Feed, messages: int, batches: int) -> None:
        """Run the package on what was landed, and check it."""
        cost = self.benchmark_server.package(feed.history.expected_totals(batches, feed.is_partial))
        self.note_package(case, feed.vendor, messages, cost)

    def note_package(self, case: str, vendor: str, messages: int, cost: Cost) -> None:
        """Keep what a run of the package cost, and where its time went."""
        start_seconds = cost.wall_seconds - self.benchmark_server.run_seconds()
        models = self.benchmark_server.model_seconds()
        self.note(
            case, vendor, messages, "package", cost, start_seconds=start_seconds, models=models
        )

    def build_everything(
        self,
        case: str,
        feed: Feed,
        messages: int,
        jobs: Sequence[str] = JOBS,
        times: int | None = None,
    ) -> None:
        """Full builds of the first landing batch by the jobs, in turns; not all vendors have a hand-written one."""
        benchmark_server = self.benchmark_server
        benchmark_server.clear(RAW)
        benchmark_server.land(feed, 1, 1)
        for _ in range(times or self.repetitions):
            if "floor" in jobs:
                self.note(case, feed.vendor, messages, "floor", benchmark_server.floor(feed.vendor))
            if "hand-written" in jobs and has_hand_written(feed.vendor):
                cost = benchmark_server.hand_written(
                    feed.vendor, 1, 1, feed.history.expected_totals(1)
                )
                self.note(case, feed.vendor, messages, "hand-written", cost)
            if "package" in jobs:
                benchmark_server.begin_package(feed)
                self.package(case, feed, messages, 1)

    def add_increments(self, feed: Feed, messages: int, size: int, first_batch: int) -> None:
        """Three small landing batches on top of the first, one run each."""
        case = f"increment {size}"
        for batch in range(first_batch, first_batch + INCREMENTS):
            self.benchmark_server.land(feed, batch, batch)
            expected_totals = feed.history.expected_totals(batch)
            cost = self.benchmark_server.hand_written(feed.vendor, batch, batch, expected_totals)
            self.note(case, feed.vendor, messages, "hand-written", cost)
            self.package(case, feed, messages, batch)

    def run_idle(self, feed: Feed, messages: int) -> None:
        """Runs with nothing new."""
        for _ in range(self.repetitions):
            self.note_package("idle", feed.vendor, messages, self.benchmark_server.package(None))


def sizes_of(messages: int, increments: list[int]) -> list[int]:
    """Landing batches of a feed: the bulk, some increments of each size, and what arrives after them."""
    return [messages, *(size for size in increments for _ in range(INCREMENTS)), 1]


def run(bench: Bench, arguments: argparse.Namespace, publish: Publish) -> None:
    """Run the cases that were asked for, of each vendor and size, and publish as they come."""
    for vendor in arguments.vendors:
        for messages in arguments.messages:
            run_cases(bench, vendor, messages, arguments.increments, arguments.cases)
            publish(bench.records)
    bench.benchmark_server.clear(RAW, HAND_WRITTEN, PACKAGE, WORK)


def run_cases(
    bench: Bench, vendor: str, messages: int, increments: list[int], cases: list[str]
) -> None:
    """Run cases of one vendor at one size; increments need a build, which is measured once."""
    benchmark_server = bench.benchmark_server
    if "floor" in cases:
        feed = benchmark_server.feed(vendor, [messages, 1], max(messages // 4, 1))
        bench.build_everything("floor", feed, messages, jobs=("floor",))
    if {"full", "increment", "idle"} & set(cases):
        feed = benchmark_server.feed(vendor, sizes_of(messages, increments), max(messages // 4, 1))
        if "full" in cases:
            bench.build_everything("full", feed, messages)
        else:
            bench.build_everything("base", feed, messages, times=1)
        if has_hand_written(vendor):
            for number, size in enumerate(increments if "increment" in cases else []):
                bench.add_increments(feed, messages, size, 2 + number * INCREMENTS)
            if "idle" in cases:
                bench.run_idle(feed, messages)
    if "partial" in cases and benchmark_server.can_be_partial(vendor):
        for style in ("encode", "encode_partial"):
            feed = benchmark_server.feed(vendor, [messages, 1], max(messages // 20, 1), style)
            case = "partial" if feed.is_partial else "twin"
            bench.build_everything(case, feed, messages, jobs=("package",))
    if "hot" in cases and has_hand_written(vendor):
        for hot in (0, messages // 5):
            feed = benchmark_server.feed(
                vendor, [messages, 1], max(messages // 4, 1), hot_changes=hot
            )
            bench.build_everything("hot" if hot else "cold", feed, messages, jobs=("package",))


def publisher(with_earlier: bool) -> Publish:
    """Writes records into the results and the report, behind the earlier ones or in their place."""
    earlier = json.loads(RESULTS.read_text())["records"] if with_earlier else []
    RESULTS.parent.mkdir(exist_ok=True)

    def publish(records: list[dict[str, Any]]) -> None:
        results = {"machine": machine(), "records": earlier + records}
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        write_report(results, REPOSITORY / "docs")

    return publish


def machine() -> dict[str, Any]:
    """What the figures were measured on."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": os.cpu_count(),
        "memory_gb": round(memory / 2**30),
        "system": platform.system(),
        "python": platform.python_version(),
        "date": time.strftime("%Y-%m-%d"),
    }


def main(given: Iterable[str] | None = None) -> int:
    """Run `python -m benchmarks`."""
    parser = argparse.ArgumentParser(prog="make bench", description=__doc__)
    parser.add_argument(
        "--messages",
        type=int,
        nargs="+",
        default=[1_000_000],
        help="changes of a full build; sizes",
    )
    parser.add_argument(
        "--increments", type=int, nargs="+", default=[10_000], help="changes of an increment; sizes"
    )
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument(
        "--vendors", nargs="+", choices=VENDOR_FOLDERS, default=list(VENDOR_FOLDERS)
    )
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(USUAL_CASES))
    parser.add_argument(
        "--master", default=ALL_CORES, help="Spark's: local[1], local-cluster[2,1,3072]"
    )
    parser.add_argument("--no-report", action="store_true", help="do not touch docs/benchmarks.md")
    parser.add_argument("--append", action="store_true", help="add to the results that are there")
    arguments = parser.parse_args(None if given is None else list(given))
    console = Console(highlight=False, width=150)
    publish = (lambda _: None) if arguments.no_report else publisher(arguments.append)
    try:
        with open_benchmark_server(config_from_environment(), arguments.master) as benchmark_server:
            bench = Bench(benchmark_server, console, arguments.repetitions, arguments.master)
            run(bench, arguments, publish)
    except (CdcError, WrongResultError) as error:
        console.print(f"[red]error:[/] {error}", markup=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

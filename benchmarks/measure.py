"""What a piece of work costs: CPU of the JVM and its Python workers, wall time, memory, bytes written."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass
class Cost:
    """The cost of one piece of work."""

    cpu_seconds: float = 0.0  # user and system, of the JVM and every process below it
    wall_seconds: float = 0.0
    peak_megabytes: float = 0.0  # resident, of the JVM alone
    table_megabytes: float = 0.0  # data files that the logs of transactional tables added
    table_rows: int = 0  # rows of those files
    work_megabytes: float = 0.0  # files of tables without a log, which live for one run


def _processes(root: int) -> list[int]:
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
            except (FileNotFoundError, ProcessLookupError):
                continue
            children.setdefault(parent, []).append(int(entry.name))
    found, todo = [], [root]
    while todo:
        process = todo.pop()
        found.append(process)
        todo += children.get(process, [])
    return found


def cpu_seconds(root: int) -> float:
    """CPU seconds of a process, of those below it, and of those below it that have ended."""
    total = 0
    for process in _processes(root):
        try:
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        total += sum(int(field) for field in fields[11:15])
    return total / TICKS


def _peak_megabytes(process: int) -> float:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) / 1024
    return 0.0


def peak_megabytes_of_workers(jvm: int) -> float:
    """Return the most memory that any process below the server has held, of those that still run."""
    return max(
        (_peak_megabytes(process) for process in _processes(jvm) if process != jvm), default=0.0
    )


def _written(warehouse: Path, since: float) -> tuple[float, int, float]:
    """Megabytes and rows that logs added since a time, and megabytes of files without a log."""
    table_bytes = rows = work_bytes = 0
    logged = set()
    for log in warehouse.rglob("_delta_log"):
        logged.add(log.parent)
        for commit in log.glob("*.json"):
            if commit.stat().st_mtime < since:
                continue
            for line in commit.read_text().splitlines():
                added = json.loads(line).get("add")
                # A file that only got a new deletion vector was not written.
                if added and added["modificationTime"] / 1000 >= since - 1:
                    vector = added.get("deletionVector")
                    table_bytes += vector["sizeInBytes"] if vector else added["size"]
                    rows += 0 if vector else json.loads(added["stats"])["numRecords"]
    for file in warehouse.rglob("*.parquet"):
        if not any(parent in logged for parent in file.parents) and file.stat().st_mtime >= since:
            work_bytes += file.stat().st_size
    return table_bytes / 1e6, rows, work_bytes / 1e6


@contextmanager
def measured(jvm: int, warehouse: Path) -> Iterator[Cost]:
    """Measure what is done within; the figures are there when it has ended."""
    cost = Cost()
    Path(f"/proc/{jvm}/clear_refs").write_text("5")
    began, clock, cpu = time.time(), time.monotonic(), cpu_seconds(jvm)
    yield cost
    cost.cpu_seconds = round(cpu_seconds(jvm) - cpu, 2)
    cost.wall_seconds = round(time.monotonic() - clock, 2)
    cost.peak_megabytes = round(_peak_megabytes(jvm))
    table, cost.table_rows, work = _written(warehouse, began)
    cost.table_megabytes, cost.work_megabytes = round(table, 2), round(work, 2)

"""The report of a benchmark puts side by side only what ran side by side."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.__main__ import publisher
from benchmarks.benchmark_server import ALL_CORES, executor_memory
from benchmarks.report import BEGIN, END, table, write_report


def record(job: str, cpu_seconds: float, **more: Any) -> dict[str, Any]:
    return {
        "case": "full", "vendor": "qlik", "messages": 1000, "job": job, "master": ALL_CORES,
        "cpu_seconds": cpu_seconds, "wall_seconds": cpu_seconds / 2, "peak_megabytes": 900.0,
        "table_megabytes": 1.0, "table_rows": 10, **more,
    }  # fmt: skip


def results(*records: dict[str, Any]) -> dict[str, Any]:
    machine = {
        "date": "2026-01-01",
        "cores": 2,
        "memory_gb": 8,
        "system": "Linux",
        "python": "3.11",
    }
    return {"machine": machine, "records": list(records)}


def rows(text: str) -> list[list[str]]:
    """The cells of a Markdown table below its head."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]


def test_ratios_are_of_medians() -> None:
    measured = [
        record("floor", 9.0),
        record("floor", 10.0),
        record("floor", 30.0),
        record("package", 40.0),
    ]
    floor, package = rows(table(results(*measured)))
    assert floor[4] == "9.0 / 10.0 / 30.0"
    assert package[-2:] == ["4.0", ""]


def test_one_core_is_not_compared_with_two() -> None:
    measured = [record("floor", 10.0), record("package", 60.0, master="local[1]")]
    _, package = rows(table(results(*measured)))
    assert package[0] == "full, local[1]"
    assert package[-2:] == ["", ""]


def test_a_report_replaces_the_one_before_and_nothing_else(tmp_path: Any) -> None:
    (tmp_path / "benchmarks").mkdir()
    page = tmp_path / "benchmarks.md"
    page.write_text(f"# Before\n\n{BEGIN}\n\nold\n\n{END}\n\nafter\n")
    for _ in range(2):
        write_report(results(record("floor", 10.0), record("package", 40.0)), tmp_path)
    text = page.read_text()
    assert text.startswith(f"# Before\n\n{BEGIN}\n\n| case")
    assert text.endswith(f"{END}\n\nafter\n")
    assert "old" not in text
    assert "<svg" in (tmp_path / "benchmarks" / "full_build.svg").read_text()


@pytest.mark.parametrize(
    ("master", "memory"),
    [("local-cluster[2,1,2048]", "2048m"), ("local[1]", "1g"), (ALL_CORES, "1g")],
)
def test_executors_get_the_memory_that_their_master_promises(master: str, memory: str) -> None:
    assert executor_memory(master) == memory


@pytest.mark.parametrize("with_earlier", [True, False])
def test_what_is_measured_is_published_as_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, with_earlier: bool
) -> None:
    earlier, first, second = record("floor", 1.0), record("floor", 2.0), record("package", 3.0)
    folder = tmp_path / "docs" / "benchmarks"
    folder.mkdir(parents=True)
    (tmp_path / "docs" / "benchmarks.md").write_text(f"# Before\n\n{BEGIN}\n\n{END}\n")
    (folder / "results.json").write_text(json.dumps(results(earlier)))
    monkeypatch.setattr("benchmarks.__main__.REPOSITORY", tmp_path)
    monkeypatch.setattr("benchmarks.__main__.RESULTS", folder / "results.json")

    publish = publisher(with_earlier)
    for measured in ([first], [first, second]):
        publish(measured)
        written = json.loads((folder / "results.json").read_text())["records"]
        assert written == ([earlier] if with_earlier else []) + measured

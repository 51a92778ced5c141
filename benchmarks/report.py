"""Writes docs/benchmarks.md's table of results and its plot out of the measured records."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.benchmark_server import ALL_CORES

BEGIN, END = "<!-- results: written by make bench -->", "<!-- end of results -->"
JOBS = ("floor", "hand-written", "package")
Key = tuple[str, str, int, str]  # case, vendor, messages, master


def grouped(records: list[dict[str, Any]]) -> dict[Key, dict[str, list[dict[str, Any]]]]:
    """The records of each case, vendor, size and master, by job."""
    found: dict[Key, dict[str, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        key = (record["case"], record["vendor"], record["messages"], record["master"])
        found[key][record["job"]].append(record)
    return found


def spread(values: list[float]) -> str:
    """Minimum, median and maximum: `18.9 / 19.2 / 32.0`."""
    return " / ".join(f"{value:.1f}" for value in (min(values), median(values), max(values)))


def table(results: dict[str, Any]) -> str:
    """The results as a Markdown table, with the package's ratios to the others."""
    lines = [
        "| case | vendor | messages | job | CPU s (min / median / max) | wall s (median) | of it dbt's start | peak MB | MB to tables | rows | to floor | to hand-written |",
        "|---|---|---|---|---|---|---|---|---|---|---|---|",
    ]
    for (case, vendor, messages, master), jobs in grouped(results["records"]).items():
        medians = {
            job: median(record["cpu_seconds"] for record in records)
            for job, records in jobs.items()
        }
        for job in JOBS:
            if job not in jobs:
                continue
            records, starts = jobs[job], starts_of(jobs[job])
            ratios = [
                f"{medians[job] / medians[other]:.1f}" if other in medians and other != job else ""
                for other in ("floor", "hand-written")
            ]
            cells = [
                case if master == ALL_CORES else f"{case}, {master}", vendor, f"{messages:,}", job, spread([record["cpu_seconds"] for record in records]),
                f"{median(record['wall_seconds'] for record in records):.1f}",
                f"{median(starts):.1f}" if starts else "",
                f"{max(record['peak_megabytes'] for record in records):.0f}",
                f"{median(record['table_megabytes'] for record in records):.1f}",
                f"{median(record['table_rows'] for record in records):,.0f}",
                *ratios,
            ]  # fmt: skip
            lines.append("| " + " | ".join(cells) + " |")
    machine = results["machine"]
    lines.append("")
    lines.append(
        f"Measured on {machine['date']}: {machine['cores']} cores, {machine['memory_gb']} GB,"
        f" {machine['system']}, Python {machine['python']}."
    )
    return "\n".join(lines)


def starts_of(records: list[dict[str, Any]]) -> list[float]:
    """Seconds that dbt needed to start and read the project; none for jobs without dbt."""
    return [record["start_seconds"] for record in records if "start_seconds" in record]


def slowest_models(results: dict[str, Any], case: str) -> str:
    """Where the package's time goes in a case: wall seconds of its slowest models."""
    lines = ["| vendor | messages | model | wall s (median) |", "|---|---|---|---|"]
    for (name, vendor, messages, master), jobs in grouped(results["records"]).items():
        if name != case or master != ALL_CORES or "package" not in jobs:
            continue
        seconds: dict[str, list[float]] = defaultdict(list)
        for record in jobs["package"]:
            for model, wall in record.get("models", {}).items():
                seconds[model].append(wall)
        ranking = sorted(((median(walls), model) for model, walls in seconds.items()), reverse=True)
        lines += [
            f"| {vendor} | {messages:,} | {model} | {wall:.1f} |" for wall, model in ranking[:3]
        ]
    return "\n".join(lines)


def plot(results: dict[str, Any], path: Path) -> None:
    """CPU seconds of each job in a full build of the size measured first, one group of bars per vendor."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot

    matplotlib.rcParams["svg.hashsalt"] = "cdc"
    groups: dict[str, dict[str, float]] = {}
    for (case, vendor, messages, master), jobs in grouped(results["records"]).items():
        if case == "full" and master == ALL_CORES and vendor not in groups:
            groups[vendor] = {
                job: median(record["cpu_seconds"] / messages * 1e6 for record in records)
                for job, records in jobs.items()
            }
    figure, axes = pyplot.subplots(figsize=(9, 4))
    for place, job in enumerate(JOBS):
        axes.bar(
            [number + (place - 1) * 0.27 for number in range(len(groups))],
            [jobs.get(job, 0) for jobs in groups.values()], width=0.25, label=job,
        )  # fmt: skip
    axes.set_xticks(range(len(groups)), list(groups))
    axes.set_ylabel("CPU seconds per million changes")
    axes.set_title("A full build: parse alone, a hand-written job, the package")
    axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})
    pyplot.close(figure)


def write_report(results: dict[str, Any], docs: Path) -> None:
    """Put table and plot into docs/benchmarks.md, between its two markers."""
    plot(results, docs / "benchmarks" / "full_build.svg")
    page = docs / "benchmarks.md"
    text = page.read_text()
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    parts = [
        before + BEGIN,
        table(results),
        "![CPU seconds of a full build](benchmarks/full_build.svg)",
        "Where the package's time goes in a full build:",
        slowest_models(results, "full"),
        END + after.rstrip() + "\n",
    ]
    page.write_text("\n\n".join(parts))

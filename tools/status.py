"""`make status`: what came in, what became of it, what waits and what was rejected."""

from __future__ import annotations

import argparse
import sys

from rich.console import Console

from engine.config import config_from_environment
from landing.bodies import LandingError
from landing.raw_tables import connect, run_sql
from tools.console import add_schema, show

COUNTS = ["messages", "events", "changes", "segments", "duplicates", "control", "ignored", "rejected", "pending"]  # fmt: skip


def main() -> int:
    """Print the health of every source; return 1 without a server or before the first build."""
    parser = argparse.ArgumentParser(prog="make status", description=__doc__)
    add_schema(parser)
    schema = parser.parse_args().schema
    console = Console(highlight=False)
    config = config_from_environment()
    try:
        connection = connect(config.host, config.port)
        sums = ", ".join(f"sum({name})" for name in COUNTS)
        show(
            console,
            "cdc_health, by source",
            ["vendor", "source", *COUNTS, "last commit", "lag"],
            run_sql(
                connection,
                f"select vendor, source, {sums}, max(last_committed_at),"
                " current_timestamp() - max(last_committed_at)"
                f" from {schema}.cdc_health group by vendor, source order by vendor, source",
            ),
        )
        for relation in ("cdc_rejected_messages", "cdc_pending_messages"):
            show(
                console,
                f"{relation}, by reason",
                ["vendor", "source", "reason", "events", "for example"],
                run_sql(
                    connection,
                    "select vendor, source, reason, count(*), substr(min(reason_detail), 1, 100)"
                    f" from {schema}.{relation} group by vendor, source, reason"
                    " order by vendor, source, reason",
                ),
            )
    except LandingError as error:
        console.print(f"error: {error}", style="red", markup=False)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

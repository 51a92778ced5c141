"""The lock of a run, where Python writes it: heartbeats, and the end of a run that was cut short.

A note of the lock is `name@seconds since 1970`, as the macros in macros/hooks write and read it. It
stands in a setting of the server's one session, or in a table (the variable cdc_lock_in).
"""

from __future__ import annotations

import time
from contextlib import closing

from cdc_changelog.client import connect, run_sql
from cdc_changelog.config import ServerConfig
from cdc_changelog.project import project_vars, work_schema


def is_a_table() -> bool:
    """Return whether the lock is a table, which all servers of the warehouse see."""
    return bool(project_vars().get("cdc_lock_in") == "table")


def _note(name: str) -> str:
    return f"{name}@{time.time()}"


def heartbeat_statement(run_name: str) -> str:
    """Return the statement that notes that a run is alive now."""
    if is_a_table():
        return f"update {work_schema()}.run_heartbeat set note = '{_note(run_name)}'"
    return f"set cdc.heartbeat.{work_schema()}={_note(run_name)}"


def give_back_lock(config: ServerConfig, run_name: str, is_interrupted: bool) -> None:
    """Free the lock where a run left it: one that was interrupted, or whose dbt was killed.

    It counts as taken from a killed run, so that the next run fences off what may still go on. What
    a person has interrupted did not die at what it read.
    """
    state = _note("interrupted" if is_interrupted else "unlocked")
    with closing(connect(config.host, config.port)) as connection:
        if is_a_table():
            work = work_schema()
            has_schema = run_sql(connection, f"show schemas like '{work}'")
            if has_schema and run_sql(connection, f"show tables in {work} like 'run_lock'"):
                run_sql(
                    connection,
                    f"update {work}.run_lock set note = '{state}'"
                    f" where startswith(note, '{run_name}@')",
                )
            return
        for name, value, *_ in run_sql(connection, "set"):
            if name.startswith("cdc.lock.") and value.startswith(f"{run_name}@"):
                run_sql(connection, f"set {name}={state}")

"""Where landers keep bodies while they work, and the removal of what a killed one left behind.

A folder or table of that kind says in its name when it was made and by whom: so the next lander
finds what has no owner any more.
"""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import socket
import time
import uuid
from pathlib import Path

from cdc_changelog.client import SqlConnection, run_sql
from cdc_changelog.server.locks import process_is_alive

# What is younger is left alone.
LIFE_SECONDS = 24 * 60 * 60
NAME = re.compile(r"_?landing_(?P<made_at>\d+)_(?P<pid>\d+)_(?P<host>[0-9a-f]{8})_[0-9a-f]{32}")


def _host() -> str:
    """This machine's name in a form that fits into the name of a table."""
    return hashlib.sha256(socket.gethostname().encode()).hexdigest()[:8]


def new_name() -> str:
    """Return a name for bodies on their way: when, process, machine, and what makes it unique.

    >>> is_left_behind(new_name())
    False
    """
    return f"landing_{int(time.time())}_{os.getpid()}_{_host()}_{uuid.uuid4().hex}"


def is_left_behind(name: str, now: float | None = None) -> bool:
    """Return whether a name was given more than a day ago, by a process that is gone.

    A process of another machine counts as gone by then.
    """
    found = NAME.fullmatch(name)
    if found is None:
        return False
    is_old = (time.time() if now is None else now) - int(found["made_at"]) > LIFE_SECONDS
    is_gone = found["host"] != _host() or not process_is_alive(int(found["pid"]))
    return is_old and is_gone


def make_folder(parent: Path, name: str) -> Path:
    """Create a folder that only its owner can read."""
    parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    folder = parent / name
    folder.mkdir(mode=0o700)
    return folder


def clear_folders(parent: Path) -> list[str]:
    """Delete the folders that killed landers left, and return their names."""
    names = (
        [path.name for path in parent.iterdir() if is_left_behind(path.name)]
        if parent.is_dir()
        else []
    )
    for name in names:
        shutil.rmtree(parent / name, ignore_errors=True)
    return names


def clear_tables(connection: SqlConnection, schema: str) -> list[str]:
    """Drop the staging tables that killed landers left, and return their names."""
    shown = run_sql(connection, f"show tables in {schema} like '_landing_*'")
    names = [row[1] for row in shown if is_left_behind(row[1])]
    for name in names:
        run_sql(connection, f"drop table if exists {schema}.{name}")
    return names

"""The last lines of a log, for error messages."""

from __future__ import annotations

from collections import deque
from pathlib import Path


def tail(path: Path, lines: int = 15) -> str:
    """Return the last lines of a text file, indented; empty if there is none."""
    if not path.exists():
        return ""
    with path.open(errors="replace") as file:
        return "".join(f"  {line}" for line in deque(file, maxlen=lines))

"""Situations that practitioners report in public, as messages of a vendor, with what should come of them.

Each vendor's lie in tests/python/vendors/<vendor>/situations.py, a list `SITUATIONS`. A situation lands
under its own name as the source, in up to two runs; expectations are hand-written.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from cdc_changelog.landing.bodies import Message

VENDOR_FOLDERS = Path(__file__).resolve().parent.parent / "vendors"
RUNS = 2


@dataclass(frozen=True)
class Row:
    """A current row: numbers of `row` count by their value."""

    table_name: str
    row: dict[str, Any]
    is_deleted: bool = False


@dataclass(frozen=True)
class Version:
    """A version of a row: from when to when, and what ended it."""

    row: dict[str, Any]
    valid_from: str | None
    valid_to: str | None = None
    closed_by: str | None = None


@dataclass(frozen=True)
class Situation:
    """What lands before each run, and what should be there at the end.

    tables: lines of cdc_tables for its table, without vendor and source. versions: those of all
    rows, ordered by row key, None where they do not matter. reasons: of what is rejected, in
    alphabetical order, None where they do not matter. same_as: the name of a situation that lands
    the same messages in another order, so that its changelog is the same.
    """

    name: str
    sentence: str
    runs: tuple[tuple[Message, ...], ...]
    rows: tuple[Row, ...]
    tables: tuple[str, ...] = ()
    versions: tuple[Version, ...] | None = None
    rejected: int = 0
    pending: int = 0
    reasons: tuple[str, ...] | None = None
    warnings: frozenset[str] = field(default_factory=frozenset)
    same_as: str | None = None
    vendor: str = ""


def carried(
    bodies: Iterable[Any],
    *,
    topic: str,
    start: int = 0,
    keys: Iterable[str | None] = (),
    sent_at: datetime | None = None,
) -> tuple[Message, ...]:
    """Messages in one partition of a topic, one after another; what is neither text nor bytes becomes JSON."""
    sent = list(bodies)
    all_keys = [*keys, *[None] * len(sent)]
    return tuple(
        Message(
            value=body if isinstance(body, str | bytes) else json.dumps(body),
            key=key,
            topic=topic,
            partition=0,
            offset=start + number,
            timestamp=sent_at,
        )
        for number, (body, key) in enumerate(zip(sent, all_keys, strict=False))
    )


def split_changes() -> dict[str, tuple[Message, ...]]:
    """Return, of each vendor that splits a large change over several messages, such messages."""
    found = {}
    for file in sorted(VENDOR_FOLDERS.glob("*/situations.py")):
        module = importlib.import_module(f"tests.python.vendors.{file.parent.name}.situations")
        if messages := getattr(module, "SPLIT_CHANGE", None):
            found[file.parent.name] = messages
    return found


def all_situations() -> list[Situation]:
    """Return the situations of every vendor that has some."""
    found = []
    for file in sorted(VENDOR_FOLDERS.glob("*/situations.py")):
        vendor = file.parent.name
        module = importlib.import_module(f"tests.python.vendors.{vendor}.situations")
        found += [
            Situation(**{**vars(situation), "vendor": vendor}) for situation in module.SITUATIONS
        ]
    return found

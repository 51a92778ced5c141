"""Which files and micro-batches are landed: `<raw schema>._landed_files`, an append-only ledger.

A lander first writes that it has started (its claim), then appends the messages in one commit, then
writes that they are landed. Whatever dies in between, the next lander of the same content can say
from the claim's batch number whether the messages are there.
"""

from __future__ import annotations

import os
import random
import socket
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

from cdc_changelog.client import SqlConnection, run_repeatable, sql_literal
from cdc_changelog.landing.bodies import BodyFile, LandingError, topic_of_file
from cdc_changelog.landing.raw_tables import check_name
from cdc_changelog.server.locks import process_is_alive

STARTED, LANDED, ABANDONED = "started", "landed", "abandoned"
CLAIM_ATTEMPTS = 20
# A claim from another machine counts as dead after this time: we cannot ask for its process.
FOREIGN_CLAIM_LIFE = timedelta(hours=1)

LEDGER_COLUMNS = (
    ("vendor", "string"),
    ("source", "string"),
    ("file_name", "string"),
    ("sha256", "string"),
    ("lines", "bigint"),
    ("landing_batch", "bigint"),
    ("state", "string"),
    ("claim_id", "string"),
    ("claimed_by", "string"),
    ("landed_at", "timestamp"),
)


class LandingUnit(Protocol):
    """What is landed as a whole: a file, or a micro-batch of a stream."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def sha256(self) -> str:
        """Equal for equal content, and for nothing else."""

    @property
    def lines(self) -> int:
        """Its number of messages, 0 while that is not known."""


@dataclass(frozen=True)
class Entry:
    """One row of the ledger; `landed_at` is when the row was written, UTC."""

    file_name: str
    sha256: str
    lines: int
    landing_batch: int
    state: str
    claim_id: str
    claimed_by: str
    landed_at: datetime


@dataclass(frozen=True)
class Claim:
    """The announced intention to land files as one batch."""

    claim_id: str
    landing_batch: int


def landed_hashes(entries: list[Entry]) -> set[str]:
    """Return the SHA-256 of every content that is landed."""
    return {entry.sha256 for entry in entries if entry.state == LANDED}


def open_claims(entries: list[Entry]) -> list[Entry]:
    """Return the started entries that were neither landed nor abandoned."""
    closed = {(entry.claim_id, entry.sha256) for entry in entries if entry.state != STARTED}
    return [
        entry
        for entry in entries
        if entry.state == STARTED and (entry.claim_id, entry.sha256) not in closed
    ]


def earlier_claim(
    entries: list[Entry], contents: Sequence[LandingUnit], claim: Claim
) -> Entry | None:
    """Return another claim on one of the contents that goes before this one, if there is one.

    Of two landers that claim the same content at the same moment at least one sees the other, and
    both agree that the smaller batch number goes first.
    """
    abandoned = {(entry.claim_id, entry.sha256) for entry in entries if entry.state == ABANDONED}
    rivals = [
        entry
        for entry in entries
        if entry.sha256 in {content.sha256 for content in contents}
        and (entry.claim_id, entry.sha256) not in abandoned
        and (entry.landing_batch, entry.claim_id) < (claim.landing_batch, claim.claim_id)
    ]
    return min(rivals, key=lambda entry: (entry.landing_batch, entry.claim_id), default=None)


def this_process() -> str:
    """Return this process as `<host>/<process id>`."""
    return f"{socket.gethostname()}/{os.getpid()}"


def may_be_running(entry: Entry, now: datetime) -> bool:
    """Return whether the lander that wrote a claim may still be at work."""
    host, _, pid = entry.claimed_by.rpartition("/")
    if host != socket.gethostname():
        return now - entry.landed_at < FOREIGN_CLAIM_LIFE
    return entry.claimed_by != this_process() and process_is_alive(int(pid))


class Ledger:
    """The ledger of one vendor's raw table and one source."""

    def __init__(
        self, connection: SqlConnection, raw_schema: str, vendor: str, source: str
    ) -> None:
        """Name the ledger; nothing is created yet."""
        self.connection = connection
        self.table = f"{check_name('raw schema', raw_schema)}._landed_files"
        self.raw_table = f"{raw_schema}.{check_name('vendor', vendor)}"
        self.vendor = vendor
        self.source = source

    def create(self, table_format: str) -> None:
        """Create the ledger's table where missing."""
        columns = ", ".join(f"{name} {kind}" for name, kind in LEDGER_COLUMNS)
        run_repeatable(
            self.connection,
            f"create table if not exists {self.table} ({columns}) using {table_format}",
        )

    def entries(self, sha256: str | None = None) -> list[Entry]:
        """Return what is known of this source's contents, or of one of them."""
        of_content = "" if sha256 is None else f" and sha256 = '{sha256}'"
        rows = run_repeatable(
            self.connection,
            "select file_name, sha256, lines, landing_batch, state, claim_id, claimed_by,"
            f" unix_micros(landed_at) from {self.table}"
            f" where vendor = '{self.vendor}' and source = {sql_literal(self.source)}{of_content}",
        )
        epoch = datetime(1970, 1, 1, tzinfo=UTC)
        return [
            Entry(
                name,
                sha256,
                lines,
                batch,
                state,
                claim_id,
                by,
                epoch + timedelta(microseconds=micros),
            )
            for name, sha256, lines, batch, state, claim_id, by, micros in rows
        ]

    def write(
        self,
        contents: Sequence[LandingUnit],
        claim: Claim,
        state: str,
        connection: SqlConnection | None = None,
    ) -> None:
        """Append one row a content, in one commit."""
        rows = ", ".join(
            f"('{self.vendor}', {sql_literal(self.source)}, {sql_literal(content.name)},"
            f" '{content.sha256}', cast({content.lines} as bigint),"
            f" cast({claim.landing_batch} as bigint), '{state}',"
            f" '{claim.claim_id}', {sql_literal(this_process())}, current_timestamp())"
            for content in contents
        )
        run_repeatable(connection or self.connection, f"insert into {self.table} values {rows}")

    def claim(self, contents: Sequence[LandingUnit]) -> Claim:
        """Announce a batch number that no other lander has.

        Of two landers that announce one number at the same time at least one sees the other,
        because both write before they read; who sees another gives the number up.
        """
        spread = 0
        for _ in range(CLAIM_ATTEMPTS):
            number = self._largest_batch() + 1 + random.randint(0, spread)
            claim = Claim(uuid.uuid4().hex, number)
            self.write(contents, claim, STARTED)
            rivals = run_repeatable(
                self.connection,
                f"select 1 from {self.table} where vendor = '{self.vendor}'"
                f" and landing_batch = {number} and claim_id <> '{claim.claim_id}'"
                f" union all select 1 from {self.raw_table} where landing_batch = {number} limit 1",
            )
            if not rivals:
                return claim
            self.write(contents, claim, ABANDONED)
            spread = spread * 2 + 2
        raise LandingError(f"No free batch number after {CLAIM_ATTEMPTS} attempts; try again.")

    def _largest_batch(self) -> int:
        rows = run_repeatable(
            self.connection,
            "select max(landing_batch) from ("
            f"select max(landing_batch) as landing_batch from {self.raw_table} union all"
            f" select max(landing_batch) from {self.table} where vendor = '{self.vendor}')",
        )
        return int(rows[0][0] or 0)

    def is_in_raw_table(self, entry: Entry) -> bool:
        """Return whether all messages of a claim arrived: some formats commit a batch in parts."""
        found = run_repeatable(
            self.connection,
            f"select count(*) from {self.raw_table} where landing_batch = {entry.landing_batch}"
            f" and source = {sql_literal(self.source)}"
            f" and topic = {sql_literal(topic_of_file(entry.file_name))}",
        )
        return int(found[0][0]) >= entry.lines > 0

    def close_claim(self, file: BodyFile, entry: Entry, take_over: bool) -> bool:
        """Close an open claim on a file's content; return whether its messages are landed.

        Raises LandingError while the lander of that claim may still be at work.
        """
        claim = Claim(entry.claim_id, entry.landing_batch)
        if self.is_in_raw_table(entry):
            self.write([file], claim, LANDED)
            return True
        if may_be_running(entry, datetime.now(UTC)) and not take_over:
            raise LandingError(
                f"{file.path} is being landed by {entry.claimed_by} since {entry.landed_at:%F %T}"
                " UTC. Wait for it; if that process is gone for certain, use --take-over."
            )
        self.write([file], claim, ABANDONED)
        return False

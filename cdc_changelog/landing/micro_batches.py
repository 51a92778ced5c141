"""Land micro-batches of a stream exactly once, by the ledger that files have.

Spark repeats the last micro-batch after a crash, with the same messages and the same number. Its
claim in the ledger says under which landing batch it was written, and the raw table whether it was.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from cdc_changelog.landing.ledger import (
    ABANDONED,
    LANDED,
    Claim,
    Ledger,
    landed_hashes,
    open_claims,
)
from cdc_changelog.landing.raw_tables import has_batch


@dataclass(frozen=True)
class MicroBatch:
    """A micro-batch; `stream_id` outlives restarts, `lines` is 0 until its messages are counted."""

    stream_id: str
    number: int
    lines: int = 0

    @property
    def name(self) -> str:
        """The stream and the number of the batch in it."""
        return f"{self.stream_id}/{self.number}"

    @property
    def sha256(self) -> str:
        """Its key in the ledger; the stream's offsets fix its messages."""
        return hashlib.sha256(self.name.encode()).hexdigest()


def claim_if_new(ledger: Ledger, micro_batch: MicroBatch) -> Claim | None:
    """Return the claim under which a micro-batch is to be landed; None if it is landed already.

    Its messages go into the raw table in one commit, so some of them there means all. There is one
    writer: Spark lets no second query run on a checkpoint.
    """
    entries = ledger.entries(micro_batch.sha256)
    if landed_hashes(entries):
        return None
    for entry in open_claims(entries):
        claim = Claim(entry.claim_id, entry.landing_batch)
        if has_batch(ledger.connection, ledger.raw_table, entry.landing_batch):
            ledger.write([micro_batch], claim, LANDED)
            return None
        ledger.write([micro_batch], claim, ABANDONED)
    return ledger.claim([micro_batch])

"""What the ledger concludes from its rows after landers died in the middle."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cdc_changelog.landing.bodies import BodyFile
from cdc_changelog.landing.ledger import (
    ABANDONED,
    LANDED,
    STARTED,
    Claim,
    Entry,
    earlier_claim,
    landed_hashes,
    may_be_running,
    open_claims,
    this_process,
)

NOW = datetime(2024, 5, 1, tzinfo=UTC)


def entry(state: str, sha256: str = "a", claim_id: str = "c1", claimed_by: str = "x/1") -> Entry:
    return Entry("f.jsonl", sha256, 3, 7, state, claim_id, claimed_by, NOW)


def test_content_is_landed_only_once_its_landed_row_is_written() -> None:
    assert landed_hashes([entry(STARTED)]) == set()
    assert landed_hashes([entry(STARTED), entry(LANDED)]) == {"a"}


def test_a_claim_is_open_until_landed_or_abandoned_file_by_file() -> None:
    two_files = [entry(STARTED, "a"), entry(STARTED, "b")]
    assert open_claims(two_files) == two_files
    assert open_claims([*two_files, entry(LANDED, "a")]) == [two_files[1]]
    assert open_claims([*two_files, entry(LANDED, "a"), entry(ABANDONED, "b")]) == []


def test_landing_by_a_second_claim_leaves_the_first_claim_open() -> None:
    entries = [entry(STARTED), entry(STARTED, claim_id="c2"), entry(LANDED, claim_id="c2")]
    assert open_claims(entries) == [entries[0]]


def test_a_claim_of_a_dead_process_of_this_machine_is_not_at_work() -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    dead = entry(STARTED, claimed_by=f"{socket.gethostname()}/{ended.pid}")
    living = entry(STARTED, claimed_by=f"{socket.gethostname()}/{os.getppid()}")
    assert not may_be_running(dead, NOW)
    assert may_be_running(living, NOW)


def test_our_own_earlier_claim_is_not_at_work_because_we_are_here() -> None:
    assert not may_be_running(entry(STARTED, claimed_by=this_process()), NOW)


def test_a_claim_of_another_machine_may_be_at_work_for_an_hour() -> None:
    far = entry(STARTED, claimed_by="elsewhere/1")
    assert may_be_running(far, NOW + timedelta(minutes=59))
    assert not may_be_running(far, NOW + timedelta(minutes=61))


def test_of_two_claims_on_one_content_the_one_with_the_smaller_batch_goes_first() -> None:
    first, second = entry(STARTED), replace(entry(STARTED, claim_id="c2"), landing_batch=8)
    files = [BodyFile(Path("f.jsonl"), "a", 3, 0)]
    entries = [first, second]
    assert earlier_claim(entries, files, Claim("c2", 8)) == first
    assert earlier_claim(entries, files, Claim("c1", 7)) is None
    assert earlier_claim([*entries, entry(ABANDONED)], files, Claim("c2", 8)) is None

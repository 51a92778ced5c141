"""The project speaks its field's language: words that it once made up do not come back."""

from __future__ import annotations

import re
import subprocess

import pytest

from engine.config import REPOSITORY

# Each pattern with the words to use instead.
HOME_MADE = {
    r"told|tells?|telling": "sent, carries, reports",
    r"rooms?": "vendor folder",
    # Spark has the functions element_at and try_element_at.
    r"elements?(?!_at)": "event; item of an array",
    r"outcomes?|faults?|envelope_problem": "status, reason",
    r"placing|as_it_is|better told": "decision, keep, better delivery",
    r"withdrawn?|withdraws|readable no more": "replace, undecodable",
    r"made anew|made good": "rebuilt, recovered",
    r"placements?|anchors?": "sort key",
    r"barriers?": "table resets",
    r"(special|connected|touched) rows": "rows that need folding, key-change groups, affected rows",
    r"idle runs?|run notes": "no-op run",
    r"column lists?|schemas? in force|\w*_in_force": "table schema, effective schema",
    r"guarded numbers": "exact numbers",
    r"is_plain|judged|imaged|as_told": "name the step by what it holds: parsed, typed, validated",
    r"by hand|dear|dearest|stands twice|shows that it lives": "hand-written, expensive, occurs twice",
    r"story|stories|behaviours?|furniture": "fixture scenario, test cases, required files",
    r"not right yet": "known limitations",
}
# Words of others: recorded figures, messages, pictures, and the history of the project's own names.
OF_OTHERS = (
    ":!docs/benchmarks/*",
    ":!*.jsonl",
    ":!CHANGELOG.md",
    ":!tests/python/project/test_words.py",
)


@pytest.mark.parametrize("pattern", HOME_MADE)
def test_no_home_made_word_is_left(pattern: str) -> None:
    # In names, too, whose words `_` parts.
    words = f"(?<![a-z0-9])(?:{pattern.replace(' ', '[ _]')})(?![a-z0-9])"
    found = subprocess.run(
        ["git", "grep", "-nIiP", words, "--", ".", *OF_OTHERS],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.splitlines()
    python_barrier = re.compile(r"threading import Barrier|Barrier\(")
    lines = [line[:160] for line in found if not python_barrier.search(line)]
    assert not lines, f"use {HOME_MADE[pattern]}:\n" + "\n".join(lines)

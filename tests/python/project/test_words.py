"""Names speak the field's language: words that the project once made up do not come back in them.

Only identifiers are looked at (of SQL, Python and YAML). Whether a sentence reads well is for a person.
"""

from __future__ import annotations

import io
import re
import subprocess
import tokenize
from pathlib import Path

import pytest

from cdc_changelog.config import REPOSITORY

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
# Of the standard library.
OF_OTHERS = {"Barrier"}
SELF = Path(__file__).resolve()


def _tracked(*patterns: str) -> list[Path]:
    """The files of the repository whose names match."""
    names = subprocess.run(
        ["git", "ls-files", *patterns], cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    return [REPOSITORY / name for name in names if (REPOSITORY / name).exists()]


def _sql_names(text: str) -> set[str]:
    """Words of SQL and Jinja outside comments and strings."""
    text = re.sub(r"{#.*?#}", " ", text, flags=re.DOTALL)
    text = re.sub(r"--[^\n]*", " ", text)
    text = re.sub(r"'[^'\n]*'|\"[^\"\n]*\"", " ", text)
    return set(re.findall(r"[A-Za-z_]\w*", text))


def _python_names(text: str) -> set[str]:
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    return {token.string for token in tokens if token.type == tokenize.NAME}


def _yaml_names(text: str) -> set[str]:
    return set(re.findall(r"^\s*(?:- )?name: *[\"']?([A-Za-z_]\w*)", text, flags=re.MULTILINE))


def _identifiers() -> dict[str, list[str]]:
    """Every identifier, and file names, with the files that it stands in."""
    found: dict[str, list[str]] = {}
    for pattern, names_of in (
        ("*.sql", _sql_names),
        ("*.py", _python_names),
        ("*.yml", _yaml_names),
    ):
        for path in _tracked(pattern):
            if path.resolve() == SELF:
                continue
            for name in names_of(path.read_text()) | {path.stem}:
                found.setdefault(name, []).append(str(path.relative_to(REPOSITORY)))
    return found


IDENTIFIERS = _identifiers()


@pytest.mark.parametrize("pattern", HOME_MADE)
def test_no_home_made_word_is_left_in_a_name(pattern: str) -> None:
    # Words of a name are parted by `_`.
    words = re.compile(
        f"(?<![a-z0-9])(?:{pattern.replace(' ', '_')})(?![a-z0-9])", flags=re.IGNORECASE
    )
    lines = [
        f"{name} ({', '.join(files[:3])})"
        for name, files in sorted(IDENTIFIERS.items())
        if name not in OF_OTHERS and words.search(name)
    ]
    assert not lines, f"use {HOME_MADE[pattern]}:\n" + "\n".join(lines)


def test_names_are_found_in_sql_python_and_yaml() -> None:
    assert {"cdc_changelog", "with_warnings", "DbtProject", "redecoded_event_id"} <= set(
        IDENTIFIERS
    )

"""What a reader of the SQL is told where it stands."""

from __future__ import annotations

import re
from itertools import dropwhile
from pathlib import Path

import pytest

from cdc_changelog.config import REPOSITORY

MODELS = sorted((REPOSITORY / "models").rglob("*.sql"))


def _is_between(line: str) -> bool:
    """Whether a line may stand between a CTE and the sentence above it."""
    return not line.strip() or re.fullmatch(r"\s*{%.*%}\s*,?", line) is not None


@pytest.mark.parametrize("model", MODELS, ids=[model.stem for model in MODELS])
def test_a_sentence_above_each_step_says_which_rows_it_holds(model: Path) -> None:
    lines = model.read_text().splitlines()
    bare = []
    for number, line in enumerate(lines):
        if step := re.match(r"(?:with )?(\w+) as \($", line):
            above = next(dropwhile(_is_between, reversed(lines[:number])), "")
            if not above.startswith("--"):
                bare.append(step.group(1))
    assert bare == []

"""docs/guarantees.md: its examples are cases that the proof runs, and its tests exist."""

from __future__ import annotations

import re

import pytest

from cdc_changelog.config import REPOSITORY
from tests.python.helpers.cases import CASES, history

SECTIONS = re.findall(
    r"^## (S[0-9]+) [^\n]*\n(.*?)(?=^## |\Z)",
    (REPOSITORY / "docs" / "guarantees.md").read_text(),
    flags=re.MULTILINE | re.DOTALL,
)
EXAMPLES = [
    dict(re.findall(r"^(\w+) +(.*)$", block, flags=re.MULTILINE))
    for _, text in SECTIONS
    for block in re.findall(r"```text\n(.*?)```", text, flags=re.DOTALL)
]


def _known() -> set[str]:
    python = "\n".join(
        path.read_text() for path in (REPOSITORY / "tests" / "python").rglob("test_*.py")
    )
    units = "\n".join(path.read_text() for path in (REPOSITORY / "models").rglob("*unit_tests.yml"))
    return {
        *re.findall(r"^def (test_\w+)", python, flags=re.MULTILINE),
        *re.findall(r"^  - name: (\w+)", units, flags=re.MULTILINE),
        *(case.name for case in CASES),
        *(path.stem for path in (REPOSITORY / "tests" / "dbt").rglob("*.sql")),
    }


def test_the_rules_are_S1_to_S16() -> None:
    assert [rule for rule, _ in SECTIONS] == [f"S{number}" for number in range(1, 17)]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["case"])
def test_an_example_is_a_case_of_the_proof(example: dict[str, str]) -> None:
    case = next(case for case in CASES if case.name == example["case"])
    assert case == history(
        case.name, case.sentence, example["events"], example["rows"], example["now"]
    )


@pytest.mark.parametrize(("rule", "text"), SECTIONS, ids=[rule for rule, _ in SECTIONS])
def test_a_rule_names_tests_that_exist(rule: str, text: str) -> None:
    shown_by = re.findall(r"`(\w+)`", text.rpartition("Shown by ")[2])
    assert shown_by, f"{rule} names no test"
    assert set(shown_by) <= _known()

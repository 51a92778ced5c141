"""docs/testing.md names, for every rule of the semantics, tests that exist."""

from __future__ import annotations

import re

from engine.config import REPOSITORY
from tests.python.integration.cases import CASES

RULES = [f"S{number}" for number in range(1, 17)]


def _rows() -> dict[str, list[str]]:
    text = (REPOSITORY / "docs" / "testing.md").read_text()
    rows = re.findall(r"^\| (S[0-9]+) [^|]*\|([^|]*)\|", text, flags=re.MULTILINE)
    return {rule: re.findall(r"`([a-z]+_[a-z0-9_]+|[a-z]+)`", tests) for rule, tests in rows}


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


def test_every_rule_names_tests() -> None:
    rows = _rows()
    assert list(rows) == RULES
    assert all(len(tests) >= 2 for tests in rows.values()), rows


def test_every_test_that_a_rule_names_exists() -> None:
    known = _known()
    missing = {
        rule: [name for name in tests if name not in known] for rule, tests in _rows().items()
    }
    assert {rule: names for rule, names in missing.items() if names} == {}

"""What a run asks once is asked behind what it is about: the answer is kept for the whole run."""

from __future__ import annotations

import re
from functools import cache

import pytest

from cdc_changelog.config import REPOSITORY
from cdc_changelog.project import read_spec, vendor_spec_files

MACROS = {
    name: body
    for path in sorted((REPOSITORY / "macros").rglob("*.sql"))
    for name, body in re.findall(
        r"{%-? macro (\w+)\((.*?){%-? endmacro", path.read_text(), flags=re.DOTALL
    )
}
MODELS = {path.stem: path.read_text() for path in sorted((REPOSITORY / "models").rglob("*.sql"))}
# What a run finds out about schemas and segments that are late, by reading their tables.
SCHEMA_MODELS = sorted(
    {
        spec[key]
        for spec in map(read_spec, vendor_spec_files())
        for key in ("schemas_model", "segments_model")
        if spec.get(key)
    }
)


def _called(text: str) -> frozenset[str]:
    """The macros that a text calls."""
    return frozenset(name for name in re.findall(r"\b(\w+)\(", text) if name in MACROS)


@cache
def _macros_of(model: str) -> frozenset[str]:
    """The macros that a model calls, and those that they call."""
    found: set[str] = set()
    waiting = set(_called(MODELS[model]))
    while waiting:
        macro = waiting.pop()
        found.add(macro)
        waiting |= _called(MACROS[macro]) - found
    return frozenset(found)


def _read_by(model: str) -> frozenset[str]:
    """A model and all that it reads, as far as its text and its macros name it."""
    found: set[str] = set()
    waiting = {model}
    while waiting:
        one = waiting.pop()
        found.add(one)
        texts = [MODELS[one], *(MACROS[macro] for macro in _macros_of(one))]
        names = {name for text in texts for name in re.findall(r"ref\('(\w+)'\)", text)}
        waiting |= {name for name in names if name in MODELS} - found
    return frozenset(found)


@pytest.mark.parametrize("model", SCHEMA_MODELS)
def test_what_stands_before_the_schemas_does_not_ask_which_schemas_are_late(model: str) -> None:
    assert "run_landing_batches" in _read_by(model)
    asking = [one for one in sorted(_read_by(model)) if "cdc_load_plan" in _macros_of(one)]
    assert asking == []


def test_events_to_decode_are_asked_for_behind_the_schemas() -> None:
    assert "cdc_load_plan" in _macros_of("stg_events_to_decode")

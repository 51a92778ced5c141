"""How messages are read, as `make try` and `make unit-test` show it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cdc_changelog.commands.try_message import bodies_of
from cdc_changelog.config import REPOSITORY, ServerConfig

pytestmark = pytest.mark.server
INSERT = {
    "record": {"id": 1, "title": "a"}, "changes": None, "action": "insert",
    "metadata": {
        "table_schema": "public", "table_name": "books", "commit_timestamp": "2026-04-01T09:00:00Z",
        "commit_lsn": 10, "commit_idx": 0, "database_name": "library",
    },
}  # fmt: skip


def _run(*words: str, text: str = "", **names: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "cdc_changelog.commands.try_message", *words],
        cwd=REPOSITORY, env={**os.environ, **names}, input=text, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_a_text_is_one_message_or_one_on_each_line() -> None:
    assert bodies_of('{\n  "a": 1\n}\n') == ['{\n  "a": 1\n}']
    assert bodies_of('{"a": 1}\n\n{"b": 2}\n') == ['{"a": 1}', '{"b": 2}']
    assert bodies_of("no JSON") == ["no JSON"]


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_a_message_is_shown_with_what_is_made_of_it(tmp_path: Path) -> None:
    file = tmp_path / "message.json"
    file.write_text(json.dumps(INSERT, indent=2))
    shown = _run(LAND_VENDOR="sequin", LAND_FILES=str(file))
    assert shown.returncode == 0, shown.stdout + shown.stderr
    lines = [line.split(maxsplit=1) for line in shown.stdout.splitlines()]
    assert ["status", "change"] in lines
    assert ["operation", "insert"] in lines
    assert ["after", '{"id":1,"title":"a"}'] in lines


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_a_message_from_standard_input_that_is_rejected_is_shown_with_its_reason() -> None:
    text = json.dumps({**INSERT, "action": "upsert"})
    shown = _run(text=text, LAND_VENDOR="sequin", LAND_FILES="")
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "UNKNOWN_OPERATION" in shown.stdout


def test_an_unknown_vendor_is_an_error_that_names_the_vendors(server: ServerConfig) -> None:
    shown = _run(LAND_VENDOR="sequins", LAND_FILES="")
    assert shown.returncode == 2
    assert "sequin, " in shown.stdout


@pytest.mark.slow
@pytest.mark.usefixtures("server")
def test_unit_tests_run_by_a_part_of_their_names() -> None:
    shown = _run("--unit-tests", "sequin_insert_carries_the_whole_row")
    assert shown.returncode == 0, shown.stdout + shown.stderr
    assert "1 unit tests passed: sequin_insert_carries_the_whole_row" in shown.stdout
    assert _run("--unit-tests", "no_such_test").returncode == 1

"""How commands print rows: a table where one fits, else records, or JSON for other programs."""

from __future__ import annotations

import io
import json
from datetime import datetime
from typing import Any

import pytest
from rich.console import Console

from cdc_changelog.commands.console import Report, show

ROW = '{"id":1001,"comment":"a rather long text that no narrow column holds"}'


def printed(width: int, names: list[str], rows: list[tuple[Any, ...]]) -> str:
    text = io.StringIO()
    show(Console(file=text, width=width, highlight=False), "Versions", names, rows)
    return text.getvalue()


def test_rows_that_fit_into_the_console_are_a_table() -> None:
    lines = printed(80, ["version", "row"], [(1, "{}"), (2, '{"a":1}')]).splitlines()
    assert lines[0] == "Versions"
    assert lines[1].split() == ["version", "row"]
    assert lines[-2].split() == ["2", '{"a":1}']


def test_rows_that_do_not_fit_are_records_with_their_values_in_one_line() -> None:
    said = printed(60, ["version", "row", "closed by"], [(1, ROW, "update"), (2, ROW, None)])
    assert said.splitlines() == [
        "Versions",
        "1 of 2",
        "  version    1",
        f"  row        {ROW}",
        "  closed by  update",
        "2 of 2",
        "  version    2",
        f"  row        {ROW}",
        "",
    ]


def test_columns_of_nothing_but_zero_or_null_are_left_out_and_false_is_not() -> None:
    said = printed(80, ["a", "b", "c", "d"], [(0, None, False, 1)])
    assert said.splitlines()[1].split() == ["c", "d"]


def test_control_characters_of_data_do_not_reach_the_terminal() -> None:
    assert "\x1b" not in printed(80, ["a"], [("red \x1b[31m",)])


def test_a_report_in_json_is_one_document_with_every_value(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report = Report(Console(stderr=True), as_json=True)
    report.add("versions", "Versions", ["row", "from", "to"], [(ROW, datetime(2026, 3, 1), None)])
    report.add("current", "Now", ["row"], [])
    assert capsys.readouterr().out == ""
    report.end()
    assert json.loads(capsys.readouterr().out) == {
        "versions": [{"row": ROW, "from": "2026-03-01 00:00:00", "to": None}],
        "current": [],
    }

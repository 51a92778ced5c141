"""Bodies leave files, and enter SQL, byte for byte."""

from __future__ import annotations

import base64
import gzip
import json
import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from cdc_changelog.client import sql_literal
from cdc_changelog.landing.bodies import LandingError, Message, as_text, inspect_file, read_bodies
from cdc_changelog.landing.files import main
from cdc_changelog.landing.raw_tables import (
    check_name,
    chunks,
    messages_as_sql,
    timestamp_micros,
)
from cdc_changelog.project import known_vendors

ODD_BODIES = [
    b'{"a":"it\'s \\\\ \\" ${x} %s \\u0000"}',
    '{"a":"😀 \t \u2028 é"}'.encode(),
    b"\xff\xfe no text",
    b"\xef\xbb\xbf{}",
]


def decoded(expression: str) -> str:
    found = re.search(r"unbase64\('([^']*)'\)", expression)
    assert found is not None
    return base64.b64decode(found.group(1)).decode()


def test_every_byte_of_a_line_but_its_end_is_the_body(tmp_path: Path) -> None:
    path = tmp_path / "odd.jsonl"
    path.write_bytes(b"\n".join(ODD_BODIES))
    assert [message.value for message in read_bodies(inspect_file(path))] == ODD_BODIES


def test_a_body_that_is_not_utf_8_is_kept_as_base64_and_says_so() -> None:
    body = b'{"name":"Zo\xeb"}'
    kept = as_text(Message(body, headers={"h": "1"}, topic="t", offset=3))
    assert kept == Message(
        base64.b64encode(body),
        headers={"h": "1", "cdc-encoding": "base64", "cdc-problem": "the body is not UTF-8"},
        topic="t",
        offset=3,
    )
    for value in (b'{"name":"Zo\xc3\xab"}', "text", None):
        assert as_text(Message(value)) == Message(value)


def test_windows_line_ends_are_not_part_of_the_body(tmp_path: Path) -> None:
    path = tmp_path / "windows.jsonl"
    path.write_bytes(b'{"a":1}\r\n{"a":2}\r\n')
    values = [message.value for message in read_bodies(inspect_file(path))]
    assert values == [b'{"a":1}', b'{"a":2}']


def test_blank_lines_are_left_out_but_count_as_line_numbers(tmp_path: Path) -> None:
    path = tmp_path / "gaps.jsonl"
    path.write_bytes(b"\n{}\n  \t\n[]\n\n")
    file = inspect_file(path)
    messages = list(read_bodies(file))
    assert (file.lines, file.blank_lines) == (2, 3)
    assert [(message.topic, message.partition, message.offset) for message in messages] == [
        ("file:gaps.jsonl", 0, 2),
        ("file:gaps.jsonl", 0, 4),
    ]


def test_a_file_and_its_gzip_are_the_same_content(tmp_path: Path) -> None:
    plain, packed = tmp_path / "a.jsonl", tmp_path / "a.jsonl.gz"
    plain.write_bytes(b"{}\n")
    packed.write_bytes(gzip.compress(b"{}\n"))
    assert inspect_file(plain).sha256 == inspect_file(packed).sha256
    assert [message.value for message in read_bodies(inspect_file(packed))] == [b"{}"]


def test_a_cut_gzip_is_rejected_before_anything_is_landed(tmp_path: Path) -> None:
    path = tmp_path / "cut.jsonl.gz"
    path.write_bytes(gzip.compress(b"{}\n" * 1000)[:-9])
    with pytest.raises(LandingError, match=r"cut\.jsonl\.gz"):
        inspect_file(path)


def test_a_file_that_grows_while_it_is_read_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "growing.jsonl"
    path.write_bytes(b"{}\n")
    file = inspect_file(path)
    path.write_bytes(b"{}\n{}\n")
    with pytest.raises(LandingError, match="changed while it was read"):
        list(read_bodies(file))


def test_text_in_sql_holds_nothing_that_sql_could_read_otherwise() -> None:
    expression = sql_literal("a'; drop table x; -- ${y} \\ 😀")
    assert re.fullmatch(r"cast\(unbase64\('[A-Za-z0-9+/=]*'\) as string\)", expression)
    assert decoded(expression) == "a'; drop table x; -- ${y} \\ 😀"


def test_messages_travel_with_key_headers_and_time() -> None:
    message = Message(
        value=ODD_BODIES[2],
        key="${k}",
        headers={"h": "it's"},
        topic="t",
        partition=3,
        offset=2**63 - 1,
        timestamp=datetime(2024, 1, 1, 0, 0, 0, 1, tzinfo=UTC),
    )
    rows = json.loads(decoded(messages_as_sql([message, Message(None)])))
    assert base64.b64decode(rows[0].pop("value")) == ODD_BODIES[2]
    assert rows[0] == {
        "key": "${k}",
        "headers": {"h": "it's"},
        "topic": "t",
        "partition": 3,
        "offset": 2**63 - 1,
        "timestamp_micros": 1_704_067_200_000_001,
    }
    assert set(rows[1].values()) == {None}


def test_times_from_year_1_to_9999_are_exact_and_need_a_zone() -> None:
    first = datetime(1, 1, 1, tzinfo=UTC)
    last = datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC)
    assert timestamp_micros(Message("", timestamp=first)) == -62_135_596_800_000_000
    assert timestamp_micros(Message("", timestamp=last)) == 253_402_300_799_999_999
    with pytest.raises(LandingError, match="no time zone"):
        timestamp_micros(Message("", timestamp=datetime(2024, 1, 1)))


def test_chunks_keep_every_message_in_order_and_a_large_one_stands_alone() -> None:
    messages = [Message("x" * size) for size in (10, 10, 5000, 10)]
    pieces = list(chunks(messages, chunk_bytes=1000))
    assert [len(piece) for piece in pieces] == [2, 1, 1]
    assert [message for piece in pieces for message in piece] == messages


def test_a_vendor_may_have_any_plain_name_and_no_other() -> None:
    assert check_name("vendor", "acme_2") == "acme_2"
    for name in ("Acme", "2acme", "a;b", "a.b", ""):
        with pytest.raises(LandingError, match="vendor"):
            check_name("vendor", name)


def test_a_vendor_without_a_folder_is_rejected_with_the_names_that_there_are(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["files", "--vendor", "sequn", "--source", "s", "x.jsonl"])
    with pytest.raises(SystemExit):
        main()
    complaint = capsys.readouterr().err
    assert all(name in complaint for name in known_vendors())
    assert len(known_vendors()) >= 5

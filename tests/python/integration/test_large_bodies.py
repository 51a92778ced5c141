"""Large bodies: each way in lands all of what it says it has landed, or nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from cdc_changelog.landing import raw_tables
from cdc_changelog.landing.bodies import LandingError, Message
from cdc_changelog.landing.files import land_files
from cdc_changelog.landing.raw_tables import (
    LARGEST_BODY,
    append_messages,
    create_raw_table,
    land,
)
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.dbt_project import DbtProject

pytestmark = pytest.mark.server

# Larger than what Spark's JSON reader takes as one text, in base64.
LARGE = 15_100_000


@pytest.fixture(scope="module")
def project(make_project: Callable[..., DbtProject]) -> DbtProject:
    """A project whose raw table alone is used."""
    return make_project("cdc_large", SIXTH_VENDOR, vendors=("acme",))


def _large_body(mark: str) -> bytes:
    """A JSON object of LARGE bytes, with characters of several bytes at the cuts."""
    text = f'{{"mark":"{mark}","text":"'.encode()
    return text + "ä€😀".encode() * ((LARGE - len(text)) // 9) + b'"}'


def _landed(project: DbtProject, source: str) -> list[tuple[str | None, int | None]]:
    """Hash and offset of what has arrived of a source."""
    return project.query(
        f"select sha2(value, 256), `offset` from {{raw}}.acme where source = '{source}' order by `offset`"
    )


def _sha(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()


@pytest.mark.parametrize("way", ["file", "staging table"])
def test_a_large_body_arrives_as_it_was_beside_small_ones_and_a_tombstone(
    project: DbtProject, tmp_path: Path, way: str
) -> None:
    large = _large_body(way)
    messages = [
        Message("{}", topic="t", partition=0, offset=1),
        Message(large, key="k", topic="t", partition=0, offset=2),
        Message(None, topic="t", partition=0, offset=3),
        Message("[]", topic="t", partition=0, offset=4),
    ]
    with closing(project.connection()) as connection:
        landed = land(
            connection, "acme", way, messages,
            raw_schema=project.raw_schema, table_format=project.server.table_format,
            staging_dir=tmp_path if way == "file" else None,
        )  # fmt: skip
    assert landed.messages == 4
    assert _landed(project, way) == [
        (_sha(b"{}"), 1),
        (_sha(large), 2),
        (None, 3),
        (_sha(b"[]"), 4),
    ]
    assert not list(tmp_path.iterdir())


def test_a_file_with_one_large_body_is_landed_once(project: DbtProject, tmp_path: Path) -> None:
    file = tmp_path / "large.jsonl"
    file.write_bytes(_large_body("file") + b"\n")
    with closing(project.connection()) as connection:
        counts = [
            land_files(
                connection, "acme", "landed", [file],
                raw_schema=project.raw_schema, table_format=project.server.table_format,
            ).messages
            for _ in range(2)
        ]  # fmt: skip
    assert counts == [1, 0]
    assert _landed(project, "landed") == [(_sha(_large_body("file")), 1)]


def test_a_body_above_the_limit_is_rejected_with_its_size_and_nothing_is_landed(
    project: DbtProject,
) -> None:
    messages = [Message("{}", topic="t"), Message(b"1" * (LARGEST_BODY + 1), topic="t", offset=7)]
    with (
        closing(project.connection()) as connection,
        pytest.raises(LandingError, match=r"100,000,001 bytes \(t, offset 7\).* 100,000,000 "),
    ):
        land(connection, "acme", "too large", messages, raw_schema=project.raw_schema)
    assert _landed(project, "too large") == []


@pytest.mark.parametrize("arrived", [0, 1])
def test_what_arrives_only_in_part_is_not_landed(
    project: DbtProject, monkeypatch: pytest.MonkeyPatch, arrived: int
) -> None:
    # A server that loses messages on the way.
    whole = raw_tables.messages_as_sql
    monkeypatch.setattr(
        raw_tables, "messages_as_sql", lambda messages: whole(list(messages)[:arrived])
    )
    source = f"lost {arrived}"
    with closing(project.connection()) as connection:
        table = create_raw_table(
            connection, "acme", project.raw_schema, project.server.table_format
        )
        with pytest.raises(LandingError, match=f"2 messages were sent.* {arrived} arrived"):
            append_messages(
                connection, table, source, 900 + arrived, [Message("1"), Message("2")], "delta"
            )
    assert _landed(project, source) == []

"""A newcomer's walk: a new project, and every command of docs/recipes.md in its order."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from cdc_changelog.config import REPOSITORY, ServerConfig
from tests.python.helpers.shell import Shell

pytestmark = [pytest.mark.server, pytest.mark.slow]

PAGE = REPOSITORY / "docs" / "recipes.md"
SCHEMAS = ("cdc_recipes", "cdc_recipes_work", "cdc_recipes_raw", "shop")


def message(number: int, action: str, at: str, **record: Any) -> str:
    """A message of Sequin about an order, without a key of its own."""
    metadata = {
        "table_schema": "public",
        "table_name": "orders",
        "commit_timestamp": at,
        "commit_lsn": number,
        "commit_idx": 0,
        "database_name": "crm",
        "idempotency_key": f"k{number}",
        "consumer": {"id": "c", "name": "shop"},
    }
    changes = {"visits": 0} if action == "update" else None
    return json.dumps(
        {"record": record, "action": action, "changes": changes, "metadata": metadata}
    )


FILES = {
    "messages.jsonl": (
        message(1, "insert", "2026-03-01T10:00:00Z", id=1, status="new", visits=1),
        message(2, "insert", "2026-03-01T11:00:00Z", id=2, status="new", visits=1),
        message(3, "update", "2026-03-03T10:00:00Z", id=1, status="new", visits=2),
        message(4, "update", "2026-03-05T10:00:00Z", id=1, status="sent", visits=3),
    ),
    "column_added.jsonl": (
        message(5, "insert", "2026-03-07T10:00:00Z", id=3, status="new", visits=1, note="x"),
    ),
    "reloaded.jsonl": (message(1, "insert", "2026-04-02T10:00:00Z", id=1, status="new", visits=9),),
    "broken.jsonl": (message(9, "insert", "2026-04-03T10:00:00Z", id=None, status="new"),),
}


@dataclass
class Walk:
    """The project of the walk, and what its commands said, block by block."""

    shell: Shell
    said: list[tuple[str, str]] = field(default_factory=list)

    def run(self, script: str) -> None:
        """Run a block of commands as a shell does that has the environment activated."""
        self.said.append((script, self.shell.run("bash", "-eu", "-c", script)))


def blocks() -> dict[str, list[str]]:
    """The blocks of commands of the page, by the heading above them."""
    found: dict[str, list[str]] = {}
    for section in PAGE.read_text().split("\n## ")[1:]:
        heading = section.splitlines()[0]
        found[heading] = re.findall(r"```sh\n(.*?)```", section, flags=re.DOTALL)
    return found


@pytest.fixture(scope="module")
def walk(server: ServerConfig, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Walk]:
    parent = tmp_path_factory.mktemp("recipes")
    Shell(parent, server).run("cdc", "init", "shop")
    walk = Walk(Shell(parent / "shop", server))
    # Schemas of this test alone, on the server of all tests.
    project = walk.shell.folder / "dbt_project.yml"
    text = project.read_text()
    for line, schema in (
        ("cdc_raw", "cdc_recipes_raw"),
        ("cdc_work", "cdc_recipes_work"),
        ("cdc", "cdc_recipes"),
    ):
        text = text.replace(f"_schema: {line}\n", f"_schema: {schema}\n")
    project.write_text(text)
    for schema in SCHEMAS:
        walk.shell.query(f"drop schema if exists {schema} cascade")
    for name, bodies in FILES.items():
        (walk.shell.folder / name).write_text("\n".join(bodies) + "\n")
    for scripts in blocks().values():
        for script in scripts:
            walk.run(script)
    yield walk
    for schema in SCHEMAS:
        walk.shell.query(f"drop schema if exists {schema} cascade")


def said_under(walk: Walk, heading: str) -> str:
    """Everything that the commands under a heading said."""
    scripts = blocks()[heading]
    return "\n".join(text for script, text in walk.said if script in scripts)


def test_every_command_of_the_page_runs_in_a_new_project(walk: Walk) -> None:
    commands = [script for scripts in blocks().values() for script in scripts]
    assert len(walk.said) == len(commands) > 8


def test_a_table_without_a_key_waits_and_becomes_a_typed_table(walk: Walk) -> None:
    said = said_under(walk, "Add a table")
    assert "sequin,crm,public,orders,<key>,,," in said
    assert "3 columns, 2 of them with a type of their own" in said


def test_a_new_column_is_shown_as_a_difference_and_then_in_the_table(walk: Walk) -> None:
    said = said_under(walk, "Add a column")
    assert "+    {{ cdc_changelog.cdc_typed_column('note', 'string') }} as note," in said
    columns = {name for name, *_ in walk.shell.query("describe shop.orders")}
    assert {"id", "status", "visits", "note", "cast_errors"} <= columns


def test_an_ignored_column_opens_no_version_any_more(walk: Walk) -> None:
    # Order 1: new, and sent; orders 2 and 3 once. What the reload did came later.
    assert re.search(r"\b4 \|", said_under(walk, "Ignore a noisy column"))


def test_a_reload_ends_the_rows_that_it_does_not_bring(walk: Walk) -> None:
    rows = walk.shell.query(
        "select row_key, is_deleted from cdc_recipes.cdc_current_rows order by row_key"
    )
    assert rows == [('["1"]', False), ('["2"]', True), ('["3"]', True)]


def test_what_was_rejected_is_shown_with_its_reason(walk: Walk) -> None:
    assert "NULL_KEY" in said_under(walk, "Look into what was rejected")


def test_the_page_of_a_row_is_written_and_changes_between_two_days_are_shown(walk: Walk) -> None:
    assert (walk.shell.folder / "row.html").stat().st_size > 5_000
    said = said_under(walk, "See what changed between Monday and today")
    assert '["1"]' in said and "update" in said

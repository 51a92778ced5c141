"""The page of a row: which change each value comes from, and that nothing of a message is HTML."""

from __future__ import annotations

from typing import Any

from cdc_changelog.client import sql_literal
from cdc_changelog.commands.row_page import (
    CHANGE_COLUMNS,
    VERSION_COLUMNS,
    Row,
    options_that_differ,
    page,
    with_origins,
)


def change(change_id: str, operation: str, after: str | None, **more: Any) -> dict[str, Any]:
    facts: dict[str, Any] = dict.fromkeys(CHANGE_COLUMNS)
    facts |= {"change_id": change_id, "operation": operation, "after": after, "deliveries": []}
    return facts | {"vendor": "acme", "after_image": "partial", "landing_batch": 1} | more


def version(number: int, row: str, change_id: str, **more: Any) -> dict[str, Any]:
    facts: dict[str, Any] = dict.fromkeys(VERSION_COLUMNS)
    return facts | {"version_number": number, "row": row, "change_id": change_id} | more


CHANGES = [
    change("c1", "insert", '{"id":1,"status":"new","note":"x"}'),
    change("c2", "update", '{"id":1,"status":"open"}'),
    change("c3", "update", '{"id":1,"note":null}'),
]
VERSIONS = [
    version(1, '{"id":1,"status":"new","note":"x"}', "c1"),
    version(2, '{"id":1,"status":"open","note":"x"}', "c2"),
    version(3, '{"id":1,"status":"open","note":null}', "c3", is_current=True),
]


def test_a_value_that_a_partial_image_lacks_comes_from_the_change_that_sent_it() -> None:
    last = with_origins(VERSIONS, CHANGES)[-1]
    assert {
        name: (origin.change_id, origin.version_number, origin.is_inherited)
        for name, origin in last.origins.items()
    } == {"id": ("c3", 3, False), "status": ("c2", 2, True), "note": ("c3", 3, False)}


def test_a_value_that_moved_in_from_another_key_comes_from_its_first_version_here() -> None:
    [only] = with_origins([version(1, '{"id":2,"note":"x"}', "c9")], [])
    assert (only.origins["note"].change_id, only.origins["note"].is_inherited) == ("c9", False)


def test_numbers_are_shown_as_they_were_sent() -> None:
    row = '{"price":12345678901234567890.10,"count":7}'
    life = {
        "source": "shop",
        "table": "orders",
        "key": '["1"]',
        "changes": [change("c1", "insert", row)],
        "versions": with_origins([version(1, row, "c1", is_current=True)], []),
        "current": {"is_deleted": False, "is_partial": False, "deleted_at": None},
    }
    assert "12345678901234567890.10" in page(life)


def test_what_a_message_holds_is_text_and_never_html() -> None:
    hostile = '{"note":"<script>alert(1)</script>","<img src=x onerror=alert(2)>":"\\"><b>"}'
    changes = [
        change(
            "c1",
            "insert",
            hostile,
            topic="<i>t",
            metadata="<u>m",
            position="<s>p",
            row_key_before='["<b>"]',
        )
    ]
    life = {
        "source": "<shop>",
        "table": "</title><script>alert(3)</script>",
        "key": '["<1>"]',
        "changes": changes,
        "versions": with_origins([version(1, hostile, "c1", is_current=True)], changes),
        "current": {"is_deleted": False, "is_partial": True, "deleted_at": None},
    }
    html = page(life)
    for part in ("<script>", "<img", "<i>", "<u>m", "<s>p", "<b>", "<shop>", "<1>"):
        assert part not in html, part
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_tables_of_one_name_are_listed_with_the_options_in_which_they_differ() -> None:
    assert options_that_differ([("acme", "", "public"), ("acme", "shop", "our archive")]) == [
        "--table-database '' --table-schema public",
        "--table-database shop --table-schema 'our archive'",
    ]


def test_an_empty_schema_says_that_the_table_has_none() -> None:
    condition = Row("shop", "orders", '["1"]', schema="").table_is
    assert condition.endswith(f" and coalesce(schema_name, '') = {sql_literal('')}")

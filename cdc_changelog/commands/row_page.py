"""The life of one row as a page: one HTML file that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import jinja2

from cdc_changelog.client import SqlConnection, run_sql, sql_literal

CHANGE_COLUMNS = (
    *("vendor", "change_id", "operation", "epoch", "position", "committed_at", "snapshot_at"),
    *("row_key_before", "row_key", "before", "after", "before_image", "after_image"),
    *("transaction_id", "message_id", "warnings", "metadata"),
    *("landing_batch", "topic", "partition", "offset", "event_index"),
)
VERSION_COLUMNS = (
    *("vendor", "version_number", "row", "valid_from", "valid_to", "is_current"),
    *("opened_by", "closed_by", "moved_from_row_key", "moved_to_row_key"),
    *("change_count", "change_id"),
)
DELIVERY_COLUMNS = (
    *("change_id", "status"),
    *("topic", "partition", "offset", "event_index", "landing_batch"),
)


@dataclass(frozen=True)
class Row:
    """What a person names a row by; `key` is its row_key, `vendor` may be left open."""

    source: str
    table: str
    key: str
    vendor: str | None = None

    @property
    def table_is(self) -> str:
        """Return a SQL condition that holds for the row's table."""
        condition = (
            f"source = {sql_literal(self.source)} and table_name = {sql_literal(self.table)}"
        )
        return condition + (f" and vendor = {sql_literal(self.vendor)}" if self.vendor else "")


@dataclass
class Origin:
    """Where a value of a version comes from: the change that sent it, and whether it is older."""

    change_id: str
    version_number: int
    is_inherited: bool
    row_key: str = ""


@dataclass
class Version:
    """A version with the origin of each of its values."""

    facts: dict[str, Any]
    values: dict[str, Any]
    origins: dict[str, Origin] = field(default_factory=dict)


def _records(names: Sequence[str], rows: Iterable[tuple[Any, ...]]) -> list[dict[str, Any]]:
    return [dict(zip(names, row, strict=True)) for row in rows]


def _quoted(names: Sequence[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)


def _object(text: str | None) -> dict[str, Any]:
    found = json.loads(text, parse_float=str) if text else {}
    return found if isinstance(found, dict) else {}


def shown(value: Any) -> str:
    """Return a JSON value as a person reads it: texts without quotes, null as null."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def with_origins(versions: list[dict[str, Any]], changes: list[dict[str, Any]]) -> list[Version]:
    """Return versions in order, each value with the change that sent it.

    A value that the opening change's image has comes from that change; one that it lacks was kept
    from the version before.
    """
    images = {change["change_id"]: _object(change["after"]) for change in changes}
    found: list[Version] = []
    for facts in versions:
        version = Version(facts, _object(facts["row"]))
        image = images.get(facts["change_id"], {})
        is_first = not found or found[-1].facts["vendor"] != facts["vendor"]
        before = {} if is_first else found[-1].origins
        for name in version.values:
            here = Origin(facts["change_id"], facts["version_number"], is_inherited=False)
            if name in image or name not in before:
                version.origins[name] = here
            else:
                kept = before[name]
                version.origins[name] = Origin(
                    kept.change_id, kept.version_number, is_inherited=True
                )
        found.append(version)
    return found


def read_life(connection: SqlConnection, schema: str, work_schema: str, row: Row) -> dict[str, Any]:
    """Return what the page shows of a row, out of marts and event store."""
    table_is, key = row.table_is, row.key
    key_is = sql_literal(key)
    changes_of_row = (
        f"from {schema}.cdc_changelog where {table_is}"
        f" and (row_key = {key_is} or row_key_before = {key_is} or operation = 'truncate')"
    )
    changes = _records(
        CHANGE_COLUMNS,
        run_sql(
            connection,
            f"select {_quoted(CHANGE_COLUMNS)} {changes_of_row}"
            " order by epoch, position nulls first, committed_at, change_id",
        ),
    )
    versions = _records(
        VERSION_COLUMNS,
        run_sql(
            connection,
            f"select {_quoted(VERSION_COLUMNS)} from {schema}.cdc_row_versions"
            f" where {table_is} and row_key = {key_is} order by vendor, version_number",
        ),
    )
    # Every delivery that has ever been stored of these changes, duplicates and replaced ones too.
    deliveries = _records(
        DELIVERY_COLUMNS,
        run_sql(
            connection,
            f"select {_quoted(DELIVERY_COLUMNS)} from {work_schema}.int_events"
            f" where change_id in (select change_id {changes_of_row}) and is_delivery"
            " order by change_id, landing_batch, topic, `partition`, `offset`, event_index",
        ),
    )
    for change in changes:
        change["deliveries"] = [
            delivery for delivery in deliveries if delivery["change_id"] == change["change_id"]
        ]
    current = run_sql(
        connection,
        f"select is_deleted, is_partial, deleted_at from {schema}.cdc_current_rows"
        f" where {table_is} and row_key = {key_is} order by vendor limit 1",
    )
    return {
        "source": row.source,
        "table": row.table,
        "key": key,
        "changes": changes,
        "versions": with_origins(versions, changes),
        "current": dict(zip(("is_deleted", "is_partial", "deleted_at"), current[0], strict=True))
        if current
        else None,
    }


def page(life: dict[str, Any]) -> str:
    """Return the HTML of a row's life. Everything that came in a message is escaped."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("cdc_changelog.commands", "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = shown
    numbers = {change["change_id"]: number for number, change in enumerate(life["changes"], 1)}
    return environment.get_template("row_page.html").render(**life, numbers=numbers)

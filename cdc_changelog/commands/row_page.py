"""The life of one row as a page: one HTML file that needs nothing else."""

from __future__ import annotations

import json
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import jinja2

from cdc_changelog.client import SqlConnection, run_sql, sql_literal
from cdc_changelog.config import CdcError

# What a table is known by beside its source and its name, and the options that say it.
TABLE_COLUMNS = ("vendor", "database_name", "schema_name")
TABLE_OPTIONS = ("--vendor", "--table-database", "--table-schema")
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
    """What a person names a row by; `key` is its row_key.

    Vendor, database and schema may be left open (None); an empty text says that there is none.
    """

    source: str
    table: str
    key: str
    vendor: str | None = None
    database: str | None = None
    schema: str | None = None

    @property
    def table_is(self) -> str:
        """Return a SQL condition that holds for the row's table, or for those that it may be in."""
        said = zip(TABLE_COLUMNS, (self.vendor, self.database, self.schema), strict=True)
        return " and ".join(
            [
                f"source = {sql_literal(self.source)}",
                f"table_name = {sql_literal(self.table)}",
                *(
                    f"coalesce({column}, '') = {sql_literal(value)}"
                    for column, value in said
                    if value is not None
                ),
            ]
        )


def in_one_table(connection: SqlConnection, relation: str, row: Row) -> Row:
    """Return the row with the vendor, database and schema of the table that it is in.

    relation: the changes or events in which its key is looked for. A row that is not there is
    returned as it is. Raises CdcError where several tables have it, with the options that tell them
    apart.
    """
    key = sql_literal(row.key)
    columns = ", ".join(f"coalesce({column}, '')" for column in TABLE_COLUMNS)
    tables = run_sql(
        connection,
        f"select distinct {columns} from {relation} where {row.table_is}"
        f" and (row_key = {key} or row_key_before = {key}) order by 1, 2, 3",
    )
    if len(tables) > 1:
        raise CdcError(
            f"{len(tables)} tables {row.table} of {row.source} have a row {row.key}. Say which:\n"
            + "\n".join(f"  {options}" for options in options_that_differ(tables))
        )
    if not tables:
        return row
    vendor, database, schema = tables[0]
    return replace(row, vendor=vendor, database=database, schema=schema)


def options_that_differ(tables: Sequence[tuple[str, str, str]]) -> list[str]:
    """Return for each table (vendor, database, schema) the options that the others have not."""
    differ = [len(set(values)) > 1 for values in zip(*tables, strict=True)]
    return [
        " ".join(
            f"{option} {shlex.quote(value)}"
            for option, value, is_needed in zip(TABLE_OPTIONS, table, differ, strict=True)
            if is_needed
        )
        for table in tables
    ]


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
        before = found[-1].origins if found else {}
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
            f" where {table_is} and row_key = {key_is} order by version_number",
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
        f" where {table_is} and row_key = {key_is}",
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

"""`cdc table shop.orders`: models of a table with real columns, written once and then yours."""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import click

from cdc_changelog.client import SqlConnection, connect, run_sql, sql_literal
from cdc_changelog.column_types import TypedColumn, types_of_schema, types_of_values
from cdc_changelog.config import PROJECT, CdcError, config_from_environment
from cdc_changelog.project import project_vars

ROWS_LOOKED_AT = 10_000
# Columns that every typed table has beside those of the source.
CURRENT_COLUMNS = ("committed_at",)
HISTORY_COLUMNS = ("valid_from", "valid_to", "is_current", "opened_by", "closed_by")
DESCRIPTIONS = {
    "vendor": "Vendor that the row came through.",
    "source": "Feed that the row came from.",
    "row_key": "The key's values as a JSON array.",
    "version_number": "Number of the version within its row, from 1.",
    "committed_at": "Commit time (UTC) of the last change of the row.",
    "valid_from": "When the version began (UTC), inclusive.",
    "valid_to": "When it ended, exclusive; null while it is valid, or where the time is not known.",
    "is_current": "True for the version that is valid now.",
    "opened_by": "Operation that opened the version.",
    "closed_by": "What ended it.",
    "cast_errors": "Names of the columns whose value was there and could not be cast.",
}


@dataclass(frozen=True)
class SourceTable:
    """A table of a feed: where its rows come from."""

    vendor: str
    source: str
    schema_name: str | None
    table_name: str


def parse_table(argument: str) -> tuple[str, str | None, str]:
    """Return source, schema and table of `shop.orders` or `shop.public.orders`.

    Raises CdcError with the usage.
    """
    parts = argument.split(".")
    if len(parts) not in (2, 3) or not all(parts):
        raise CdcError(
            f"{argument!r} names no table; expected <source>.<table> or <source>.<schema>.<table>,"
            " for example shop.orders."
        )
    return parts[0], parts[1] if len(parts) == 3 else None, parts[-1]


def find_table(connection: SqlConnection, schema: str, argument: str) -> SourceTable:
    """Return the table that rows of the marts have; raise CdcError where it is not one table."""
    source, schema_name, table_name = parse_table(argument)
    where = f"source = {sql_literal(source)} and table_name = {sql_literal(table_name)}"
    if schema_name is not None:
        where += f" and schema_name = {sql_literal(schema_name)}"
    found = run_sql(
        connection,
        f"select distinct vendor, source, schema_name, table_name from {schema}.cdc_current_rows"
        f" where {where} order by 1, 2, 3",
    )
    if len(found) == 1:
        return SourceTable(*found[0])
    if found:
        several = ", ".join(f"{line[1]}.{line[2]}.{line[3]} ({line[0]})" for line in found)
        raise CdcError(f"{argument!r} may be one of several tables: {several}.")
    known = run_sql(
        connection,
        "select distinct concat_ws('.', source, schema_name, table_name)"
        f" from {schema}.cdc_current_rows order by 1 limit 20",
    )
    names = ", ".join(name for (name,) in known) or "none so far"
    raise CdcError(f"No row of {argument} is there. Tables with rows: {names}.")


def _where(table: SourceTable) -> str:
    schema_is = (
        f"schema_name = {sql_literal(table.schema_name)}"
        if table.schema_name is not None
        else "schema_name is null"
    )
    return (
        f"vendor = {sql_literal(table.vendor)} and source = {sql_literal(table.source)}"
        f" and {schema_is} and table_name = {sql_literal(table.table_name)}"
    )


def typed_columns(
    connection: SqlConnection, schema: str, table: SourceTable
) -> tuple[list[TypedColumn], str]:
    """Return the columns of a table with their types, and what says so.

    That is the newest table schema that messages carry, else the values of its rows.
    """
    where = _where(table)
    key_lists = run_sql(
        connection,
        f"select max_by(key_columns, struct(epoch, position)) from {schema}.cdc_changelog"
        f" where {where} and key_columns is not null",
    )
    keys: list[str] = json.loads(key_lists[0][0]) if key_lists[0][0] else []
    schemas = run_sql(
        connection,
        f"select to_json(columns) from {schema}.cdc_table_schemas where {where}"
        " and columns_from = 'messages'"
        " order by last_epoch desc nulls last, last_position desc nulls last, schema_id limit 1",
    )
    if schemas and schemas[0][0]:
        columns = [
            {"ordinal": None, "precision": None, "scale": None, "type": None} | column
            for column in json.loads(schemas[0][0])
        ]
        return types_of_schema(table.vendor, columns, keys), "the table schema of its messages"
    rows = run_sql(
        connection,
        f"select `row` from {schema}.cdc_current_rows where {where} and `row` is not null"
        f" order by row_key limit {ROWS_LOOKED_AT}",
    )
    columns_seen = types_of_values((row for (row,) in rows), keys)
    return columns_seen, f"the values of {len(rows):,} rows"


def _identifier(name: str) -> str:
    return name if re.fullmatch(r"[a-z_][a-z0-9_]*", name) else f"`{name.replace('`', '``')}`"


def _quoted(text: str) -> str:
    """Return a text as a literal of Jinja and of SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def column_sql(column: TypedColumn) -> str:
    """Return the expression of a column, out of the map `fields`."""
    if column.sql:
        value = f"try_element_at(fields, {_quoted(column.name)})"
        return column.sql.replace("{value}", value)
    return f"{{{{ cdc_changelog.cdc_typed_column({_quoted(column.name)}, '{column.type}') }}}}"


def cast_error_sql(column: TypedColumn) -> str:
    """Return the expression of its name where its value could not be cast."""
    if column.sql:
        value = f"try_element_at(fields, {_quoted(column.name)})"
        return (
            f"case when {value} is not null and {column_sql(column)} is null"
            f" then {_quoted(column.name)} end"
        )
    return f"{{{{ cdc_changelog.cdc_cast_error({_quoted(column.name)}, '{column.type}') }}}}"


def _plain(text: str) -> str:
    """Return a text that may stand in a comment and is no Jinja."""
    return re.sub(r"[{}\n\r]", " ", text)


def model_sql(
    table: SourceTable, columns: Sequence[TypedColumn], types_from: str, is_history: bool
) -> str:
    """Return the SQL of a typed table, or of its history, one column a line."""
    mart = "cdc_row_versions" if is_history else "cdc_current_rows"
    keys = ["vendor", "source", "row_key", *(["version_number"] if is_history else [])]
    ends = HISTORY_COLUMNS if is_history else CURRENT_COLUMNS
    what = "All versions of the rows" if is_history else "The rows as they are now"
    name = ".".join(part for part in (table.source, table.schema_name, table.table_name) if part)
    lines = [
        f"-- {what} of {_plain(name)}. Written by `cdc table`, with types from {types_from};",
        "-- change it as you like.",
        "with table_rows as (",
        "    select",
        *(f"        {column}," for column in (*keys, *ends)),
        "        {{ cdc_changelog.cdc_json_fields('`row`') }} as fields",
        f"    from {{{{ ref('cdc_changelog', '{mart}') }}}}",
        "    where",
        f"        vendor = {_quoted(table.vendor)}",
        f"        and source = {_quoted(table.source)}",
        f"        and schema_name = {_quoted(table.schema_name)}"
        if table.schema_name is not None
        else "        and schema_name is null",
        f"        and table_name = {_quoted(table.table_name)}",
        *([] if is_history else ["        and not is_deleted"]),
        ")",
        "",
        "select",
        *(f"    {column}," for column in keys),
    ]
    for column in columns:
        key = "key; " if column.is_key else ""
        lines.append(f"    -- {_plain(key + column.reason)}")
        lines.append(f"    {column_sql(column)} as {_identifier(column.name)},")
    lines += [f"    {column}," for column in ends]
    lines.append("    array_compact(array(")
    checked = [column for column in columns if column.type != "string"]
    for column in checked:
        comma = "," if column is not checked[-1] else ""
        lines.append(f"        {cast_error_sql(column)}{comma}")
    if not checked:
        lines.append("        cast(null as string)")
    lines += ["    )) as cast_errors", "from table_rows"]
    return "\n".join(lines) + "\n"


def _new_columns_test(table: SourceTable, columns: Sequence[TypedColumn]) -> list[str]:
    """Return the lines of the test that warns of a column that the table does not have."""
    names = ", ".join(json.dumps(column.name, ensure_ascii=False) for column in columns)
    return [
        "      - cdc_changelog.no_new_columns:",
        "          arguments:",
        f"            source: {json.dumps(table.source, ensure_ascii=False)}",
        f"            table_name: {json.dumps(table.table_name, ensure_ascii=False)}",
        f"            known_columns: [{names}]",
        "          config:",
        "            severity: warn",
    ]


def models_yaml(name: str, table: SourceTable, columns: Sequence[TypedColumn]) -> str:
    """Return the YAML of both models: descriptions, types and data tests."""
    of_table = f"{table.table_name} of {table.source} ({table.vendor})"
    lines = ["models:"]
    for model, is_history in ((name, False), (f"{name}_history", True)):
        grain = f"One row per {'version of a row' if is_history else 'row'} of {of_table}"
        keys = ["vendor", "source", "row_key", *(["version_number"] if is_history else [])]
        ends = HISTORY_COLUMNS if is_history else CURRENT_COLUMNS
        lines += [
            f"  - name: {model}",
            f"    description: {json.dumps(grain + '.', ensure_ascii=False)}",
            "    data_tests:",
            "      - cdc_changelog.unique_combination:",
            "          arguments:",
            f"            columns: [{', '.join(keys)}]",
            "      - cdc_changelog.every_value_is_cast",
            *([] if is_history else _new_columns_test(table, columns)),
            "    columns:",
        ]
        for key in keys:
            lines += [
                f"      - name: {key}",
                f"        description: {DESCRIPTIONS[key]}",
                f"        data_type: {'bigint' if key == 'version_number' else 'string'}",
            ]
        for column in columns:
            if column.name in keys:
                continue
            text = f"{'Part of the key. ' if column.is_key else ''}Type: {column.reason}."
            lines += [
                f"      - name: {json.dumps(column.name, ensure_ascii=False)}",
                f"        description: {json.dumps(_plain(text), ensure_ascii=False)}",
                f"        data_type: {column.type}",
            ]
            if column.is_key and not is_history:
                lines += ["        data_tests:", "          - not_null"]
        for end in (*ends, "cast_errors"):
            lines += [f"      - name: {end}", f"        description: {DESCRIPTIONS[end]}"]
        lines.append("")
    return "\n".join(lines)


def write_table(argument: str, schema: str, folder: Path, name: str | None, force: bool) -> int:
    """Write the models of a table and their YAML; return 1 where files differ and stay.

    Files that are there are compared, and written only with `force`. Raises CdcError if the table
    has no rows, or no server answers.
    """
    config = config_from_environment()
    with closing(connect(config.host, config.port)) as connection:
        table = find_table(connection, schema, argument)
        columns, types_from = typed_columns(connection, schema, table)
    if not columns:
        raise CdcError(f"The rows of {argument} have no columns yet: nothing was written.")
    name = name or re.sub(r"\W+", "_", table.table_name.lower()).strip("_")
    files = {
        folder / f"{name}.sql": model_sql(table, columns, types_from, is_history=False),
        folder / f"{name}_history.sql": model_sql(table, columns, types_from, is_history=True),
        folder / f"{name}.yml": models_yaml(name, table, columns),
    }
    code = 0
    for path, text in files.items():
        shown = path.relative_to(PROJECT) if path.is_relative_to(PROJECT) else path
        before = path.read_text() if path.exists() else None
        if before == text:
            click.echo(f"as it was    {shown}")
        elif before is None or force:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            click.echo(f"wrote        {shown}")
        else:
            code = 1
            click.echo(f"differs      {shown} (--force writes it)")
            difference = difflib.unified_diff(
                before.splitlines(), text.splitlines(), "yours", "new", lineterm=""
            )
            click.echo("\n".join(difference))
    untyped = [column.name for column in columns if column.type == "string"]
    click.echo(
        f"{len(columns)} columns, {len(columns) - len(untyped)} of them with a type of their own;"
        f" types come from {types_from}."
    )
    if name not in project_vars().get("cdc_typed_tables", {}):
        of_table = ".".join(part for part in (table.schema_name, table.table_name) if part)
        click.echo(
            "To see in cdc_health how many rows have a value that cannot be cast, add to the vars"
            f" of dbt_project.yml: cdc_typed_tables: {{{name}: {of_table}}}"
        )
    return code

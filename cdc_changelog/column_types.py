"""Spark types for the columns of a table: from what messages say of them, else from values seen."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from cdc_changelog.project import column_types

# Decimals without a precision of their own, and the largest precision that Spark has.
UNBOUNDED_DECIMAL = "decimal(38,18)"
MOST_DIGITS = 38
BYTES_IN_HEX = "try_to_binary(substr({value}, 3), 'hex')"
NOT_NUMBERS = frozenset({"NaN", "Infinity", "-Infinity"})
TEXT_PATTERNS = (
    ("date", re.compile(r"\d{4}-\d\d-\d\d")),
    (
        "timestamp",
        re.compile(r"\d{4}-\d\d-\d\d[ T]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:?\d\d)?)?"),
    ),
    ("decimal", re.compile(r"-?\d{1,30}\.\d{1,18}")),
    ("binary", re.compile(r"\\x([0-9a-f]{2})+")),
)


@dataclass(frozen=True)
class TypedColumn:
    """A column of a typed table: its name, its Spark type, and why it has it.

    `sql` reads it where a cast does not; {value} in it stands for the value's text.
    """

    name: str
    type: str
    reason: str
    sql: str | None = None
    is_key: bool = False


@dataclass
class Seen:
    """What was seen of the values of one column."""

    kinds: dict[str, int] = field(default_factory=dict)
    scale: int = 0
    example: str = ""

    def add(self, value: Any) -> None:
        """Look at one value of a JSON object."""
        kind = self._kind(value)
        self.kinds[kind] = self.kinds.get(kind, 0) + 1
        if kind != "null" and not self.example:
            self.example = json.dumps(value, ensure_ascii=False)[:40]

    def _kind(self, value: Any) -> str:
        if value is None:
            return "null"
        if isinstance(value, bool):
            return "boolean"
        if isinstance(value, int):
            return "bigint" if -(2**63) <= value < 2**63 else "integer of more than 64 bits"
        if isinstance(value, float):
            return "double"
        if isinstance(value, list):
            return self._kind_of_list(value)
        if isinstance(value, dict):
            return "object"
        return self._kind_of_text(str(value))

    def _kind_of_list(self, values: list[Any]) -> str:
        kinds = {Seen()._kind(value) for value in values if value is not None}
        if kinds <= {"bigint"}:
            return "array<bigint>" if kinds else "empty list"
        if kinds <= {"bigint", "double"}:
            return "array<double>"
        if kinds <= {"boolean"}:
            return "array<boolean>"
        return "array<string>" if all(isinstance(v, str | None) for v in values) else "list"

    def _kind_of_text(self, text: str) -> str:
        if text in NOT_NUMBERS:
            return "not a number"
        for kind, pattern in TEXT_PATTERNS:
            if pattern.fullmatch(text):
                if kind == "decimal":
                    self.scale = max(self.scale, len(text.partition(".")[2]))
                return kind
        if re.fullmatch(r"-?\d{1,20}", text):
            return "digits"
        return "text"

    def typed(self, name: str) -> TypedColumn:
        """Return the type that holds all that was seen, with what was seen as its reason."""
        kinds = set(self.kinds) - {"null"}
        rows = sum(self.kinds.values())
        if not kinds:
            return TypedColumn(name, "string", f"null in all {rows} rows seen")
        reason = f"seen in {rows} rows, for example {self.example}"
        if kinds <= {"date"}:
            return TypedColumn(name, "date", reason)
        if kinds <= {"date", "timestamp"}:
            return TypedColumn(name, "timestamp", reason)
        if kinds <= {"binary"}:
            return TypedColumn(name, "binary", reason, BYTES_IN_HEX)
        # Whole numbers beside decimals are decimals of the same column; alone they may be a code.
        if "decimal" in kinds and kinds <= {"decimal", "digits"}:
            return TypedColumn(name, f"decimal({MOST_DIGITS},{self.scale})", reason)
        if kinds == {"digits"}:
            return TypedColumn(name, "string", f"{reason}; bigint, if it is a number")
        if kinds <= {"bigint"} or kinds <= {"boolean"}:
            return TypedColumn(name, next(iter(kinds)), reason)
        if kinds & {"double", "bigint"} and kinds <= {"double", "bigint", "not a number"}:
            return TypedColumn(name, "double", reason)
        if kinds <= {"bigint", "integer of more than 64 bits"}:
            return TypedColumn(name, f"decimal({MOST_DIGITS},0)", reason)
        lists = kinds - {"empty list"}
        if len(lists) == 1 and (kind := next(iter(lists))).startswith("array<"):
            return TypedColumn(name, kind, reason)
        if lists <= {"array<bigint>", "array<double>"} and lists:
            return TypedColumn(name, "array<double>", reason)
        if kinds <= {"object", "list", "empty list"} or lists <= {"object", "list"}:
            return TypedColumn(name, "string", f"{reason}; JSON text")
        return TypedColumn(name, "string", reason)


def types_of_values(rows: Iterable[str], keys: Sequence[str] = ()) -> list[TypedColumn]:
    """Return typed columns for rows (JSON objects), in the order in which they were seen."""
    seen: dict[str, Seen] = {}
    for row in rows:
        for name, value in json.loads(row).items():
            seen.setdefault(name, Seen()).add(value)
    columns = [of_column.typed(name) for name, of_column in seen.items()]
    return [_marked(column, keys) for column in columns]


def _marked(column: TypedColumn, keys: Sequence[str]) -> TypedColumn:
    if column.name not in keys:
        return column
    return TypedColumn(column.name, column.type, column.reason, column.sql, is_key=True)


def type_of(vendor: str, sent_type: str, precision: int | None, scale: int | None) -> TypedColumn:
    """Return how a type is read that a vendor's messages name; `name` of the result is empty.

    A type that the vendor's list does not have is text.
    """
    bare, _, parameters = sent_type.strip().lower().partition("(")
    bare = bare.strip()
    if parameters and precision is None:
        numbers = [int(number) for number in re.findall(r"\d+", parameters)]
        precision, scale = (*numbers, 0, 0)[:2] if numbers else (None, None)
    if bare.endswith("[]"):
        bare = f"_{bare.removesuffix('[]')}"
    for known in column_types(vendor):
        if bare == known["name"].lower():
            spark_type = known["type"]
            if "{precision}" in spark_type:
                spark_type = (
                    f"decimal({precision},{scale or 0})"
                    if precision and precision <= MOST_DIGITS
                    else UNBOUNDED_DECIMAL
                )
            return TypedColumn("", spark_type, sent_type, known.get("sql"))
    return TypedColumn("", "string", f"{sent_type}, which docs/vendors/{vendor}.md does not list")


def types_of_schema(
    vendor: str, columns: Iterable[dict[str, Any]], keys: Sequence[str] = ()
) -> list[TypedColumn]:
    """Return typed columns for a column list of cdc_table_schemas, in its order."""
    typed = []
    for column in sorted(columns, key=lambda column: column["ordinal"] or 0):
        found = type_of(vendor, column["type"] or "", column["precision"], column["scale"])
        of_column = TypedColumn(column["name"], found.type, found.reason, found.sql)
        typed.append(_marked(of_column, keys))
    return typed

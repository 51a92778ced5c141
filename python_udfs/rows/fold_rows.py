"""Rows from partial images and key changes: what each change leaves in its row.

SQL windows build rows whose every image is full. A row needs its own past where an image is partial
(absent columns keep their last known value), and other rows' past where a key change brings a
partial image along or lands on a live key. One call gets all changes of a group of rows
in order, and gives one result for each; the changes of a large group come one by one. What it does
stands in docs/guarantees.md.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from python_udfs.registry import TableUdf, Udf
from python_udfs.rows.json_columns import column_name, join_columns, split_columns

if TYPE_CHECKING:
    from pyspark.sql import Row

EVENT_FIELDS = (
    "row_id",
    "side",
    "operation",
    "image",
    "image_kind",
    "row_columns",
    "ended_columns",
    "transaction_scope",
    "change_id",
    "moved_to_row_key",
)

RESETS = ("truncate", "drop", "reset")
LOSS_OF_COLUMNS = "columns"

RESULT_TYPE = (
    "array<struct<effect:string,row:string,is_partial:boolean,"
    "displaced_by:string,displaced_moved_to_row_key:string>>"
)

RESULT_ARROW_TYPE = pa.struct(
    [
        ("effect", pa.string()),
        ("row", pa.string()),
        ("is_partial", pa.bool_()),
        ("displaced_by", pa.string()),
        ("displaced_moved_to_row_key", pa.string()),
    ]
)


@dataclass(frozen=True)
class Event:
    """One change as one row sees it.

    A key change is two: side "out" leaves the old key and side "in" arrives at the new one.
    row_columns are the names of all columns that the table has at a partial image, None where
    nothing says them;
    ended_columns those that the table loses by a LOSS_OF_COLUMNS, as its DDL statement writes them.
    """

    row_id: str
    side: str | None
    operation: str
    image: str | None
    image_kind: str | None
    row_columns: list[str] | None
    ended_columns: list[str] | None
    transaction_scope: str | None
    change_id: str
    moved_to_row_key: str | None


@dataclass
class Result:
    """What an event does to its row.

    effect is `upsert` (row and is_partial say what the row is now), `close`, or `none`.
    displaced_by and displaced_moved_to_row_key say, on an event that displaced a live row, what
    became of that row later in the transaction.
    """

    effect: str
    row: str | None = None
    is_partial: bool = False
    displaced_by: str | None = None
    displaced_moved_to_row_key: str | None = None


@dataclass
class _Content:
    """A live row: its JSON text, its columns once somebody had to know them."""

    text: str
    is_partial: bool
    columns: dict[str, str] | None = None

    def known_columns(self) -> dict[str, str]:
        if self.columns is None:
            self.columns = split_columns(self.text)
        return self.columns

    def lose(self, identifiers: list[str]) -> None:
        """Let later images inherit none of these columns; the row keeps the text that it has."""
        lost = lost_columns(self.known_columns(), identifiers)
        self.columns = {
            name: value for name, value in self.known_columns().items() if name not in lost
        }


@dataclass
class _Displaced:
    """A live row whose key was taken by a move, until the same transaction moves or deletes it."""

    content: _Content
    transaction_scope: str | None
    by: Result


@dataclass
class _Row:
    """One key: the row that lives there, and the rows that were displaced from it."""

    content: _Content | None = None
    displaced: deque[_Displaced] = field(default_factory=deque)

    def lose(self, identifiers: list[str]) -> None:
        """The table has lost columns: neither the row nor one displaced from it hands them on."""
        for content in [self.content, *(item.content for item in self.displaced)]:
            if content is not None:
                content.lose(identifiers)

    def reset(self) -> None:
        """A truncate, the end of the table or the reset of an epoch ends the row's memory."""
        self.content = None
        self.displaced.clear()

    def take_displaced(self, transaction_scope: str | None) -> _Displaced | None:
        """The row displaced first in this transaction that nothing has acted on yet."""
        while self.displaced and (
            transaction_scope is None or self.displaced[0].transaction_scope != transaction_scope
        ):
            self.displaced.popleft()
        return self.displaced.popleft() if self.displaced else None


def lost_columns(columns: dict[str, str], identifiers: list[str]) -> set[str]:
    """Return the columns that a DDL statement names: in quotes as they stand, else in any case.

    >>> lost_columns({'"id"': '1', '"Phone"': '2'}, ["phone", '"ID"'])
    {'"Phone"'}
    """
    quoted = {identifier[1:-1] for identifier in identifiers if identifier[0] in '"`['}
    plain = {identifier.lower() for identifier in identifiers if identifier[0] not in '"`['}
    return {
        column
        for column in columns
        if (name := column_name(column)) in quoted or name.lower() in plain
    }


def _fold(base: _Content | None, event: Event) -> _Content:
    """The row after an image: a full one replaces, any other folds into what was known."""
    image = event.image if event.image is not None else "{}"
    if event.image_kind == "full":
        return _Content(image, is_partial=False)
    if base is None:
        return _Content(image, is_partial=True)
    inherited = base.known_columns()
    if event.row_columns is not None:
        of_table = set(event.row_columns)
        inherited = {
            name: value for name, value in inherited.items() if column_name(name) in of_table
        }
    columns = inherited | split_columns(image)
    return _Content(join_columns(columns), base.is_partial, columns)


@dataclass
class GroupOfRows:
    """The rows of one group as the changes so far have left them; no change is kept."""

    rows: dict[str, _Row] = field(default_factory=dict)
    moving: dict[str, _Content | None] = field(default_factory=dict)

    def apply(self, event: Event) -> Result:
        """Apply the next event in order and return what it does.

        The result of an event that displaced a live row changes when that row is moved or deleted.
        """
        row = self.rows.setdefault(event.row_id, _Row())
        if event.operation in RESETS:
            row.reset()
            return Result("close")
        if event.operation == LOSS_OF_COLUMNS:
            row.lose(event.ended_columns or [])
            return Result("none")
        if event.side == "out" or event.operation == "delete":
            return self._end(row, event)
        before = self.moving.pop(event.change_id, None) if event.side == "in" else row.content
        content = _fold(before, event)
        result = Result("upsert", content.text, content.is_partial)
        if event.side == "in" and row.content is not None:
            row.displaced.append(_Displaced(row.content, event.transaction_scope, result))
            result.displaced_by = "key_change"
        row.content = content
        return result

    def _end(self, row: _Row, event: Event) -> Result:
        """Apply a delete, or the side of a key change that leaves a row."""
        displaced = row.take_displaced(event.transaction_scope)
        if event.side == "out":
            self.moving[event.change_id] = displaced.content if displaced else row.content
        if displaced is None:
            row.content = None
            return Result("close")
        displaced.by.displaced_by = "key_change" if event.side == "out" else "delete"
        displaced.by.displaced_moved_to_row_key = event.moved_to_row_key
        return Result("none")


def fold_group(events: list[Event]) -> list[Result]:
    """Apply the events of one group of rows in order; one result per event."""
    group = GroupOfRows()
    return [group.apply(event) for event in events]


def fold_rows(groups: pa.Array) -> pa.Array:
    """Arrow form of fold_group, group by group.

    list<struct of EVENT_FIELDS> in, list<struct of Result> out.
    """
    events = groups.flatten()
    offsets = [offset - groups.offsets[0].as_py() for offset in groups.offsets.to_pylist()]
    columns = [events.field(name).to_pylist() for name in EVENT_FIELDS]
    flat = [Event(*values) for values in zip(*columns, strict=True)]
    results: list[Result] = []
    for start, end in pairwise(offsets):
        results.extend(fold_group(flat[start:end]))
    values = pa.StructArray.from_arrays(
        [
            pa.array([getattr(result, item.name) for result in results], type=item.type)
            for item in RESULT_ARROW_TYPE
        ],
        fields=list(RESULT_ARROW_TYPE),
    )
    return pa.ListArray.from_arrays(pa.array(offsets, type=pa.int32()), values)


class FoldOneByOne:
    """Fold the rows of one group whose changes come one by one, in order.

    For groups with so many changes that no array should hold them: what is kept is the rows as
    they are, and the results of changes that displaced a live row, which change later.
    """

    def __init__(self) -> None:
        """Begin a group."""
        self.group = GroupOfRows()
        self.displacing: list[tuple[int, Result]] = []

    def eval(self, row: Row) -> Iterator[tuple[Any, ...]]:
        """Give the result of a change, unless it may change later."""
        result = self.group.apply(Event(*(row[name] for name in EVENT_FIELDS)))
        number = row["number_in_group"]
        if result.displaced_by is None:
            yield (row["row_group"], number, *_values(result))
        else:
            self.row_group = row["row_group"]
            self.displacing.append((number, result))

    def terminate(self) -> Iterator[tuple[Any, ...]]:
        """Give the results that could change."""
        for number, result in self.displacing:
            yield (self.row_group, number, *_values(result))


def _values(result: Result) -> tuple[Any, ...]:
    return tuple(getattr(result, item.name) for item in RESULT_ARROW_TYPE)


UDFS = [
    Udf("cdc_fold_rows", fold_rows, RESULT_TYPE),
    TableUdf(
        "cdc_fold_one_by_one",
        FoldOneByOne,
        "row_group string, number_in_group bigint, effect string, `row` string, is_partial boolean,"
        " displaced_by string, displaced_moved_to_row_key string",
    ),
]

"""What the marts should hold, sent a second time: plainly, event by event, apart from the SQL.

Input are rows of the changelog (dicts with its columns, each change once, in any order); output are
the current rows and the row versions. Written from the semantics S3 to S11 of the contract for
correctness, not for speed.

A change may also have what the event store keeps of its table's life: row_columns, ended_columns
(here plain names), ends_table, table_identity.

Where the contract leaves a choice, the oracle reads it so:
- A column that the table has lost stays in the row until a change comes that does not inherit it.
- An upsert, a delete and a move out of a key always "have an effect" on their row, even if nothing
  changes. A truncate or reset has one on live rows only. A move or delete that acts on a displaced
  row has none on the row that took its key.
- The current row's operation, position and committed_at are that very event's own, as they stand in
  the changelog: null where the event has none (a snapshot row), `update` for a key change.
- deleted_at is the running maximum of S10, like the valid_to of the version that ended.
- A row without any version shows the image of its last delete (or move away); it is partial unless
  that image was full.
- A deleted row keeps the is_partial that it had when it was deleted. A moved row keeps its own on its way.
- A change of an unknown transaction (no transaction_id, no position) never meets a displaced row.
- An event that is placed by time comes right after the change that it was placed after.
- A change without a time takes the time that the changes before it reached, also where others are
  placed by it; where none of them has one either, it comes before all that have one.
- Rows that key changes with partial images, or without a position, connect are placed together: the
  time reached is that of all their changes.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from itertools import pairwise
from typing import Any

Change = Mapping[str, Any]
TableKey = tuple[Any, ...]  # vendor, source, database_name, schema_name, table_name
TABLE_COLUMNS = ("vendor", "source", "database_name", "schema_name", "table_name")
# At one position: first by class, then as they were carried, then by rank.
CLASSES = {"reset": 0, "snapshot": 1, "truncate": 2, "drop": 2}
CLASS_OF_CHANGES = 3
RANKS = {"columns": 1, "insert": 2, "update": 3, "delete": 4}
LAST = float("inf")
ROW_OPERATIONS = ("insert", "update", "delete", "snapshot")
PLAYED = (*ROW_OPERATIONS, "truncate")


@dataclass
class Version:
    """A row of cdc_row_versions."""

    table: TableKey
    row_key: str
    version_number: int
    row: dict[str, Any]
    valid_from: datetime | None
    valid_from_epoch: int
    valid_from_position: str | None
    opened_by: str
    change_id: str
    moved_from_row_key: str | None = None
    valid_to: datetime | None = None
    valid_to_epoch: int | None = None
    valid_to_position: str | None = None
    closed_by: str | None = None
    moved_to_row_key: str | None = None
    change_count: int = 1

    @property
    def is_current(self) -> bool:
        """True until something closes the version."""
        return self.closed_by is None


@dataclass
class CurrentRow:
    """A row of cdc_current_rows."""

    table: TableKey
    row_key: str
    row: dict[str, Any] | None
    is_deleted: bool
    is_partial: bool
    operation: str
    epoch: int
    position: str | None
    committed_at: datetime | None
    change_id: str | None
    first_seen_at: datetime | None
    deleted_at: datetime | None
    version_count: int


@dataclass(order=True)
class _Place:
    """Where an event stands: epoch, position, order of ties, then what was placed after it."""

    epoch: int
    position: str
    tie: tuple[Any, ...]
    placed: int = 0  # 1 for an event that was placed after the change named before
    placed_time: str = ""
    placed_tie: tuple[Any, ...] = ()


@dataclass
class _Event:
    """What happens to a row (a truncate is one event per row); a key change happens to two rows."""

    place: _Place
    change: Change
    operation: str
    row_key: str
    time: datetime | None
    row_key_before: str | None = None

    @property
    def scope(self) -> tuple[Any, ...] | None:
        """The transaction, None where unknown."""
        transaction = self.change.get("transaction_id")
        position = self.change.get("position")
        if transaction is None and position is not None:
            transaction = str(position).split("/")[0]
        return None if transaction is None else (self.change.get("epoch", 0), transaction)


@dataclass
class _Live:
    """A row that exists."""

    columns: dict[str, Any]
    is_partial: bool
    lost: set[str] = field(default_factory=set)  # columns that its table has lost since


@dataclass
class _Displaced:
    """A row whose key was taken by a move, until its transaction moves or deletes it."""

    live: _Live
    version: Version
    scope: tuple[Any, ...] | None


@dataclass
class _Row:
    """All that is known of one row key."""

    live: _Live | None = None
    last_columns: dict[str, Any] | None = None
    is_partial: bool = True
    versions: list[Version] = field(default_factory=list)
    displaced: list[_Displaced] = field(default_factory=list)
    running: datetime | None = None
    deleted_at: datetime | None = None
    first_seen_at: datetime | None = None
    last: _Event | None = None


def read_json(text: str | None) -> dict[str, Any] | None:
    """JSON object text with exact numbers."""
    if text is None:
        return None
    parsed: dict[str, Any] = json.loads(text, parse_float=Decimal)
    return parsed


def comparable(value: Any) -> Any:
    """A form in which JSON values are equal if type and value are; the order of keys is ignored.

    >>> comparable(True) == comparable(1), comparable(Decimal("1.50")) == comparable(Decimal("1.5"))
    (False, True)
    """
    if isinstance(value, bool) or value is None:
        return ("literal", str(value))
    if isinstance(value, int | float | Decimal):
        number = Decimal(str(value))
        return ("number", number.is_signed(), number.normalize())
    if isinstance(value, Mapping):
        return ("object", tuple(sorted((key, comparable(item)) for key, item in value.items())))
    if isinstance(value, list | tuple):
        return ("array", tuple(comparable(item) for item in value))
    return ("text", str(value))


def expected_marts(
    changes: Iterable[Change],
    *,
    snapshots_first: Iterable[str] = (),
    history_ignored_columns: Mapping[TableKey, frozenset[str]] | None = None,
    resets: Iterable[tuple[TableKey, int]] = (),
) -> tuple[list[CurrentRow], list[Version]]:
    """Current rows and row versions of a changelog.

    snapshots_first: vendors whose snapshot rows sort before all changes of their epoch.
    resets: (table, epoch) of the epochs that end all rows of the older ones.
    """
    by_table: dict[TableKey, list[Change]] = {}
    transaction_times: dict[Any, datetime] = {}
    for change in changes:
        time = _time(change)
        if change["operation"] in ("begin", "commit") and time is not None:
            transaction = _transaction(change)
            transaction_times[transaction] = max(time, transaction_times.get(transaction, time))
        table = tuple(change.get(column) for column in TABLE_COLUMNS)
        by_table.setdefault(table, []).append(change)
    reset_epochs = set(resets)
    first = frozenset(snapshots_first)
    ignored = history_ignored_columns or {}
    current_rows: list[CurrentRow] = []
    versions: list[Version] = []
    for table, table_changes in by_table.items():
        events = _events_in_order(
            table_changes,
            snapshots_first=table[0] in first,
            reset_epochs={epoch for name, epoch in reset_epochs if name == table},
            transaction_times=transaction_times,
        )
        rows = _play(table, events, ignored.get(table, frozenset()))
        for row_key, row in rows.items():
            versions.extend(row.versions)
            current_rows.append(_current_row(table, row_key, row))
    return current_rows, versions


# ------------------------------------------------------------------------------------ order


def _tie(change: Change, operation: str) -> tuple[Any, ...]:
    """S3: what orders events that share a position; nulls last."""
    topic = change.get("topic")
    numbers = (change.get(name) for name in ("partition", "offset", "event_index"))
    carried = (topic is None, topic or "", *(LAST if n is None else n for n in numbers))
    rank = RANKS.get(operation, 0)
    return (CLASSES.get(operation, CLASS_OF_CHANGES), *carried, rank, change["change_id"] or "")


def _time(change: Change) -> datetime | None:
    committed: datetime | None = change.get("committed_at")
    snapshot: datetime | None = change.get("snapshot_at")
    return committed if committed is not None else snapshot


def _transaction(change: Change) -> tuple[Any, ...]:
    return tuple(change.get(name) for name in ("vendor", "source", "epoch", "transaction_id"))


def _events_in_order(
    changes: list[Change],
    *,
    snapshots_first: bool,
    reset_epochs: set[int],
    transaction_times: Mapping[Any, datetime],
) -> list[_Event]:
    row_keys = sorted(
        {
            row_key
            for change in changes
            for row_key in (change.get("row_key"), change.get("row_key_before"))
            if row_key is not None
        }
    )
    groups = _key_change_groups(changes, row_keys)
    events: list[_Event] = []
    # What happens to the table as a whole, with its kind and the time that it gives the rows.
    table_events: list[tuple[Change, str, datetime | None]] = [
        (change, "drop", _time(change) or transaction_times.get(_transaction(change)))
        for change in _ends_of_tables(changes)
    ]
    table_events += [(change, "columns", None) for change in changes if _loses_columns(change)]
    for change, operation, time in table_events:
        if change.get("position") is not None:
            place = _Place(change.get("epoch", 0), change["position"], _tie(change, operation))
            events += [_Event(place, change, operation, row_key, time) for row_key in row_keys]
    for epoch in sorted(reset_epochs):
        begun = [
            change
            for change in changes
            if change.get("epoch", 0) == epoch and change["operation"] in PLAYED
        ]
        if not begun:
            continue
        times = [time for change in begun if (time := _time(change)) is not None]
        reset = {"operation": "reset", "epoch": epoch, "change_id": None}
        events += [
            _Event(
                place=_Place(epoch, "", (CLASSES["reset"],)),
                change=reset,
                operation="reset",
                row_key=row_key,
                time=min(times, default=None),
            )
            for row_key in row_keys
        ]
    for change in changes:
        if change.get("position") is None or change["operation"] not in PLAYED:
            continue
        place = _Place(
            change.get("epoch", 0), change["position"], _tie(change, change["operation"])
        )
        events += _events_of(change, row_keys, lambda row_key, place=place: place)
    positioned = sorted(events, key=lambda event: event.place)
    for change, operation, time in table_events:
        if change.get("position") is None:
            for row_key in row_keys:
                place = _place_by_time(
                    change, time or _time(change), groups[row_key], positioned, operation
                )
                events.append(_Event(place, change, operation, row_key, time))
    for change in changes:
        if change.get("position") is not None or change["operation"] not in PLAYED:
            continue
        if change["operation"] == "snapshot" and snapshots_first:
            time = None
        elif change["operation"] == "snapshot":
            time = change.get("snapshot_at")
        else:
            time = _time(change)
        events += _events_of(
            change,
            row_keys,
            lambda row_key, change=change, time=time: _place_by_time(
                change, time, groups[row_key], positioned, change["operation"]
            ),
        )
    return sorted(events, key=lambda event: (event.place, event.row_key))


def _key_change_groups(changes: list[Change], row_keys: list[str]) -> dict[str, set[str]]:
    """The rows whose past a row needs: those that key changes connect with it."""
    groups = {row_key: {row_key} for row_key in row_keys}
    for change in changes:
        before = change.get("row_key_before") if change["operation"] == "update" else None
        is_partial = change.get("after_image") != "full" or change.get("position") is None
        if before is not None and before != change["row_key"] and is_partial:
            group = groups[before] | groups[change["row_key"]]
            for row_key in group:
                groups[row_key] = group
    return groups


def _events_of(change: Change, row_keys: list[str], place_in: Any) -> list[_Event]:
    """A row event happens to its row, a truncate to every row of its table."""
    operation = change["operation"]
    if operation == "truncate":
        return [
            _Event(place_in(row_key), change, operation, row_key, _time(change))
            for row_key in row_keys
        ]
    row_key = change["row_key"]
    before = change.get("row_key_before") if operation == "update" else None
    place = place_in(row_key)
    if before is not None and before != row_key:
        return [_Event(place, change, operation, row_key, _time(change), before)]
    return [_Event(place, change, operation, row_key, _time(change))]


def _place_by_time(
    change: Change,
    time: datetime | None,
    group: set[str],
    positioned: list[_Event],
    operation: str,
) -> _Place:
    """S9: after the last change of its rows, in its epoch, whose running-maximum time is before."""
    epoch = change.get("epoch", 0)
    found = _Place(epoch, "", (CLASSES["snapshot"],))
    own_time = time or _time(change)
    running: datetime | None = None
    for event in positioned:
        if group.isdisjoint((event.row_key, event.row_key_before)):
            continue
        if event.time is not None:
            running = event.time if running is None else max(running, event.time)
        if event.place.epoch != epoch or event.operation == "reset":
            continue
        if time is not None and (running is None or running < time):
            found = event.place
    return _Place(
        epoch,
        found.position,
        found.tie,
        placed=1,
        placed_time=own_time.isoformat(timespec="microseconds") if own_time else "",
        placed_tie=_tie(change, operation),
    )


def _ends_of_tables(changes: list[Change]) -> list[Change]:
    """S7: a DROP TABLE, and a message that gives the table's name to another table of the source."""
    ended = [change for change in changes if change.get("ends_table")]
    named: dict[int, list[Change]] = {}
    for change in changes:
        if change.get("table_identity") is not None and change.get("position") is not None:
            named.setdefault(change.get("epoch", 0), []).append(change)
    for messages in named.values():
        messages.sort(key=lambda change: (change["position"], _tie(change, "drop")))
        ended += [
            change
            for before, change in pairwise(messages)
            if before["table_identity"] != change["table_identity"] and not change.get("ends_table")
        ]
    return ended


def _loses_columns(change: Change) -> bool:
    """S5: a DDL event that drops or renames columns."""
    return bool(change.get("ended_columns")) and not change.get("ends_table")


# ------------------------------------------------------------------------------------ what happens


def _play(table: TableKey, events: list[_Event], ignored: frozenset[str]) -> dict[str, _Row]:
    rows: dict[str, _Row] = {}
    seen = {
        row_key
        for event in events
        if event.operation in ROW_OPERATIONS
        for row_key in (event.row_key, event.row_key_before)
        if row_key is not None
    }
    for row_key in sorted(seen):
        rows[row_key] = _Row()
    for event in events:
        row = rows[event.row_key]
        if event.operation == "columns":
            _lose(row, event.change["ended_columns"])
        elif event.operation in ("truncate", "drop", "reset"):
            _reach(row, event, is_own_event=False)
            if row.live is not None:
                _end(row, event, event.operation)
            row.displaced.clear()
        elif event.operation == "delete":
            _reach(row, event)
            displaced = _take_displaced(row, event)
            if displaced is not None:
                displaced.version.closed_by = "delete"
            else:
                _leave(row, event, "delete", None)
        elif event.row_key_before is not None:
            _move(table, rows, event)
        else:
            _reach(row, event)
            live = _folded(row.live, event)
            if row.live is None:
                _open(table, row, event, live, event.operation)
            elif _tracked(row.live, ignored) == _tracked(live, ignored):
                row.versions[-1].row = live.columns
                row.versions[-1].change_count += 1
                _live_on(row, event, live)
            else:
                _close(row.versions[-1], row, event, "update")
                _open(table, row, event, live, event.operation)
    return rows


def _move(table: TableKey, rows: dict[str, _Row], event: _Event) -> None:
    """S8: out of the old key first, then in to the new one."""
    assert event.row_key_before is not None
    old, new = rows[event.row_key_before], rows[event.row_key]
    _reach(old, event)
    _reach(new, event)
    displaced = _take_displaced(old, event)
    if displaced is not None:
        moving: _Live | None = displaced.live
        displaced.version.closed_by = "key_change"
        displaced.version.moved_to_row_key = event.row_key
    else:
        moving = old.live
        _leave(old, event, "key_change", event.row_key)
    live = _folded(moving, event)
    if new.live is not None:
        _close(new.versions[-1], new, event, "key_change")
        new.displaced.append(_Displaced(new.live, new.versions[-1], event.scope))
    _open(table, new, event, live, "key_change", moved_from=event.row_key_before)


def _reach(row: _Row, event: _Event, *, is_own_event: bool = True) -> None:
    """Times of a row never run backwards."""
    if event.time is None:
        return
    row.running = event.time if row.running is None else max(row.running, event.time)
    if is_own_event:
        row.first_seen_at = (
            event.time if row.first_seen_at is None else min(row.first_seen_at, event.time)
        )


def _folded(base: _Live | None, event: _Event) -> _Live:
    """S5: a full image replaces, any other folds into what is known."""
    image = read_json(event.change.get("after")) or {}
    if event.change.get("after_image") == "full":
        return _Live(image, is_partial=False)
    if base is None:
        return _Live(image, is_partial=True)
    of_table = event.change.get("row_columns")
    inherited = {
        name: value
        for name, value in base.columns.items()
        if name not in base.lost and (of_table is None or name in of_table)
    }
    return _Live({**inherited, **image}, base.is_partial)


def _lose(row: _Row, names: Iterable[str]) -> None:
    """What later images inherit from a row, or from one displaced from its key, is less."""
    for live in (row.live, *(displaced.live for displaced in row.displaced)):
        if live is not None:
            live.lost |= set(names)


def _tracked(live: _Live, ignored: frozenset[str]) -> Any:
    return comparable({key: value for key, value in live.columns.items() if key not in ignored})


def _take_displaced(row: _Row, event: _Event) -> _Displaced | None:
    """The first row displaced from this key in this transaction that nothing has acted on yet."""
    row.displaced = [
        item for item in row.displaced if item.scope is not None and item.scope == event.scope
    ]
    return row.displaced.pop(0) if row.displaced else None


def _live_on(row: _Row, event: _Event, live: _Live) -> None:
    row.live = live
    row.last_columns = live.columns
    row.is_partial = live.is_partial
    row.deleted_at = None
    row.last = event


def _placed_position(event: _Event) -> str | None:
    return event.place.position or None


def _open(
    table: TableKey,
    row: _Row,
    event: _Event,
    live: _Live,
    opened_by: str,
    moved_from: str | None = None,
) -> None:
    row.versions.append(
        Version(
            table=table,
            row_key=event.row_key,
            version_number=len(row.versions) + 1,
            row=live.columns,
            valid_from=row.running,
            valid_from_epoch=event.place.epoch,
            valid_from_position=_placed_position(event),
            opened_by=opened_by,
            change_id=event.change["change_id"],
            moved_from_row_key=moved_from,
        )
    )
    _live_on(row, event, live)


def _close(version: Version, row: _Row, event: _Event, closed_by: str) -> None:
    version.valid_to = row.running
    version.valid_to_epoch = event.place.epoch
    version.valid_to_position = _placed_position(event)
    version.closed_by = closed_by


def _end(row: _Row, event: _Event, closed_by: str, moved_to: str | None = None) -> None:
    """Ends the life of a live row."""
    _close(row.versions[-1], row, event, closed_by)
    row.versions[-1].moved_to_row_key = moved_to
    row.live = None
    row.deleted_at = row.running
    row.last = event


def _leave(row: _Row, event: _Event, closed_by: str, moved_to: str | None) -> None:
    """A delete, or a move out of a key; the row need not be known or live."""
    if row.live is not None:
        _end(row, event, closed_by, moved_to)
        return
    if not row.versions:
        row.last_columns = read_json(event.change.get("before"))
        row.is_partial = event.change.get("before_image") != "full"
    if row.last is None:
        row.deleted_at = row.running
    row.last = event


def _current_row(table: TableKey, row_key: str, row: _Row) -> CurrentRow:
    assert row.last is not None
    change = row.last.change
    return CurrentRow(
        table=table,
        row_key=row_key,
        row=row.last_columns,
        is_deleted=row.live is None,
        is_partial=row.is_partial,
        operation=row.last.operation,
        epoch=row.last.place.epoch,
        position=change.get("position"),
        committed_at=(
            row.last.time if row.last.operation in ("drop", "reset") else change.get("committed_at")
        ),
        change_id=change.get("change_id"),
        first_seen_at=row.first_seen_at,
        deleted_at=row.deleted_at,
        version_count=len(row.versions),
    )

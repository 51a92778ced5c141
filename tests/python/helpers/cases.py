"""Test cases that the tools of this trade agree on, each sent in a few messages of the made-up vendor.

Most fit a notation. Events: `a@10` is the row with the value a, changed at position 10 (and at second 10
of the day), `a@10^70` at second 70; `D@20` its delete, `T@20` a truncate of its table, `X@20` its end; `2:a@10` the row
with the key 2, `1>2:a@20` a key change; `{v=a,w=1}@10` an image of two columns, `+{w=1}@10` of some;
`a~20` a snapshot row read at second 20; `|` the end of a run. What comes of it is hand-written:
`2:a[10,20)` is the version that is valid from position 10 to before position 20. Behind it stands what
ended it: nothing for an update (U where no position says it), D a delete, T a truncate, K a key change,
R a reset, X the end of the table. `a@20#3` is carried at offset 3 of a topic, before what lies at offset 4. The rows at the end: `a`, `2:a`, `D a` or `D2:a` where the row is deleted.
docs/guarantees.md shows cases in this notation.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

Body = dict[str, Any]
Carried = Body | list[Any]  # a message, or several in one list; its offset is no part of it
Point = int | str  # a position: a commit, or "<commit>/<index>"

START = datetime(2026, 1, 1, tzinfo=UTC)
ENDS = {
    "": "update",
    "U": "update",
    "D": "delete",
    "T": "truncate",
    "K": "key_change",
    "R": "reset",
    "X": "drop",
}
OFFSET = "offset of the test"
TABLE = "things"
IGNORING_TABLE = "things_seen"

# What the copy of the project is configured with, beyond what messages say.
CONFIGURED_TABLES = (f"acme,*,*,{IGNORING_TABLE},,seen,,",)
CONFIGURED_EPOCHS = (
    "acme,restored,*,*,1,2026-01-01 00:01:00,,false",
    "acme,restored_amid_moves,*,*,1,2026-01-01 00:01:00,,false",
    "acme,reloaded,*,*,1,2026-01-01 00:01:00,,true",
    "acme,reloaded_by_snapshots,*,*,1,2026-01-01 00:01:00,,true",
    "acme,reloaded_late,*,*,1,2026-01-01 00:01:00,,true",
    "acme,reloaded_and_changed,*,*,1,2026-01-01 00:01:00,,true",
    "acme,redelivered_after_restore,*,*,1,2026-01-01 00:01:00,,false",
)

CONFIGURED_EXCLUSIONS = (
    ",acme,excluded_by_place,things,0,2,,forged,the test",
    ",acme,excluded_and_delivered_again,things,0,2,0,forged,the test",
    ",acme,excluded_by_a_later_delivery,things,0,9,,forged,the test",
    ",acme,excluded_delete,things,0,2,,a mistake,the test",
)


@dataclass(frozen=True)
class ExpectedVersion:
    """A version as it should be; seconds are those of the positions unless others are given."""

    key: str
    row: dict[str, Any]
    since: str | None
    until: str | None
    closed_by: str | None
    from_second: float | None
    to_second: float | None


@dataclass(frozen=True)
class ExpectedRow:
    """A current row as it should be."""

    key: str
    row: dict[str, Any]
    is_deleted: bool


@dataclass(frozen=True)
class Case:
    """A sentence, what arrives in each run, and what should come of it; its name is the source's.

    excluded: how many of its changes cdc_excluded_events takes out.
    """

    name: str
    sentence: str
    runs: tuple[tuple[Carried, ...], ...]
    versions: tuple[ExpectedVersion, ...]
    rows: tuple[ExpectedRow, ...]
    excluded: int = 0


# ---------------------------------------------------------------------------------- messages


def position_text(point: Point) -> str:
    """The position as a message carries it.

    >>> position_text(10), position_text("20/1")
    ('0010', '0020/1')
    """
    commit, slash, index = str(point).partition("/")
    return f"{int(commit):04d}{slash}{index}"


def _time(second: int) -> str:
    return (START + timedelta(seconds=second)).isoformat().replace("+00:00", "Z")


def _second(point: Point) -> int:
    return int(str(point).partition("/")[0])


def _message(operation: str, point: Point, second: int | None, **fields: Any) -> Body:
    return {
        "table": TABLE,
        "key": ["id"],
        "operation": operation,
        "position": position_text(point),
        "committed_at": _time(_second(point) if second is None else second),
        **fields,
    }


def full(
    point: Point,
    key: str = "1",
    *,
    second: int | None = None,
    image: str = "full",
    table: str = TABLE,
    message_id: str | None = None,
    **columns: Any,
) -> Body:
    """An image of the whole row."""
    return _message(
        "update",
        point,
        second,
        id=message_id or f"{key}@{point}",
        after={"id": key, **columns},
        after_image=image,
        table=table,
    )


def partial(point: Point, key: str = "1", **columns: Any) -> Body:
    """An image of some columns."""
    return full(point, key, image="partial", **columns)


def delete(point: Point, key: str = "1") -> Body:
    """A delete that carries no more than the key."""
    image = {"before": {"id": key}, "before_image": "key"}
    return _message("delete", point, None, id=f"D{key}@{point}", **image)


def truncate(point: Point, table: str = TABLE) -> Body:
    """A truncate of the table."""
    return _message("truncate", point, None, id=f"T@{point}", table=table)


def truncate_at(second: int) -> Body:
    """A truncate of the table that carries its time and no position."""
    return {**truncate(second), "id": f"T@second {second}", "position": None}


def move(point: Point, old: str, new: str, *, image: str = "full", **columns: Any) -> Body:
    """A change of the key."""
    images = {"before": {"id": old}, "before_image": "key"}
    images |= {"after": {"id": new, **columns}, "after_image": image}
    transaction = f"t{_second(point)}"
    return _message(
        "update", point, None, id=f"{old}>{new}@{point}", transaction=transaction, **images
    )


def carried_at(offset: int, *bodies: Body) -> Carried:
    """What lies at an offset of the topic: a message, or several in one list."""
    sent = [{**body, OFFSET: offset} for body in bodies]
    return sent[0] if len(sent) == 1 else sent


def without_offset(body: Carried) -> tuple[Carried, int | None]:
    """The message, or the list of messages, as it is landed, and its offset."""
    bodies = body if isinstance(body, list) else [body]
    bare = [{name: value for name, value in one.items() if name != OFFSET} for one in bodies]
    return bare if isinstance(body, list) else bare[0], bodies[0].get(OFFSET)


def drop_table(point: Point) -> Body:
    """A DROP TABLE."""
    return _message("ddl", point, None, id=f"X@{point}", ends_table=True)


def lose_columns(point: Point, *columns: str) -> Body:
    """A DDL event by which the table loses columns; names as a statement writes them."""
    return _message("ddl", point, None, id=f"L@{point}", ended_columns=list(columns))


def named(point: Point, identity: str, **more: Any) -> Body:
    """A schema message: from here on the table's name belongs to the table with this identity."""
    return _message(
        "schema", point, None, id=f"{identity}@{point}", table_identity=identity, **more
    )


def with_columns(body: Body, *columns: str) -> Body:
    """The same partial image, with the names of all columns that the table has."""
    return {**body, "row_columns": ["id", *columns]}


def commit(point: Point, second: int, transaction: str) -> Body:
    """The end of a transaction."""
    return _message("commit", point, second, id=f"C@{point}", transaction=transaction)


def without_time(body: Body) -> Body:
    """The same from a source that knows no times."""
    return {**body, "id": f"{body['id']} without a time", "snapshot_at": None, "committed_at": None}


def without_position(body: Body) -> Body:
    """The same change from a source that knows no positions."""
    return {**body, "position": None}


def snapshot(read_at: int | None, key: str = "1", **columns: Any) -> Body:
    """A row read from the table itself: it has a time at best, and no position."""
    return {
        "table": TABLE,
        "key": ["id"],
        "operation": "snapshot",
        "id": f"S{key}@{read_at}",
        "after": {"id": key, **columns},
        "after_image": "full",
        "snapshot_at": None if read_at is None else _time(read_at),
    }


# ------------------------------------------------------------------------------ expectations


def version(
    since: Point | None,
    until: Point | None = None,
    end: str = "",
    key: str = "1",
    *,
    seconds: tuple[int | None, int | None] | None = None,
    **columns: Any,
) -> ExpectedVersion:
    """A version of a row, ended by one of ENDS if `until` or `end` says that it did."""
    if seconds is None:
        times = tuple(None if point is None else _second(point) for point in (since, until))
    else:
        times = seconds
    return ExpectedVersion(
        key,
        {"id": key, **columns},
        None if since is None else position_text(since),
        None if until is None else position_text(until),
        None if until is None and not end else ENDS[end],
        times[0],
        times[1],
    )


def present(key: str = "1", **columns: Any) -> ExpectedRow:
    """A row that is there now."""
    return ExpectedRow(key, {"id": key, **columns}, is_deleted=False)


def deleted(key: str = "1", **columns: Any) -> ExpectedRow:
    """A row that is not, with its last known values."""
    return ExpectedRow(key, {"id": key, **columns}, is_deleted=True)


# ---------------------------------------------------------------------------------- notation


VALUE = r"(\w+|\{[^}]*\})"
EVENT = re.compile(
    rf"(?:(\w+)(?:>(\w+))?:)?(\+?){VALUE}([@~])([0-9/]+)(?:\^([0-9]+))?(?:#([0-9]+))?"
)
VERSION = re.compile(
    rf"(?:(\w+):)?{VALUE}\[([0-9/]+)(?:\^([0-9]+))?,([0-9/]*)(?:\^([0-9]+))?\)([A-Z]?)"
)
ROW = re.compile(rf"(D?) ?(?:(\w+):)?{VALUE}?")


def _columns(value: str) -> dict[str, Any]:
    if not value.startswith("{"):
        return {"v": value}
    pairs = (pair.split("=") for pair in value[1:-1].split(","))
    return {
        name: int(text) if text.isdigit() else None if text == "null" else text
        for name, text in pairs
    }


def _body(sent: str) -> Body:
    parts = EVENT.fullmatch(sent)
    assert parts is not None, f"{sent!r} is no event"
    *message, offset = parts.groups()
    body = _message_of(*message)
    # Different changes at one position have ids of their own.
    return body if offset is None else body | {"id": sent.split("#")[0], OFFSET: int(offset)}


def _message_of(
    old: str | None,
    new: str | None,
    plus: str,
    value: str,
    kind: str,
    point: str,
    second: str | None,
) -> Body:
    key = old or "1"
    if value == "X":
        return drop_table(point)
    if value == "D":
        return delete(point, key)
    if value == "T":
        return truncate(point)
    if kind == "~":
        return snapshot(int(point), key, **_columns(value))
    image = "partial" if plus else "full"
    if new:
        return move(point, key, new, image=image, **_columns(value))
    time = int(second) if second else None
    return full(point, key, second=time, image=image, **_columns(value))


def _version(sent: str) -> ExpectedVersion:
    parts = VERSION.fullmatch(sent)
    assert parts is not None, f"{sent!r} is no version"
    key, value, since, from_second, until, to_second, end = parts.groups()
    times = (
        int(from_second or _second(since)),
        int(to_second or _second(until)) if until else None,
    )
    return version(since, until or None, end, key or "1", seconds=times, **_columns(value))


def _rows(now: str) -> tuple[ExpectedRow, ...]:
    rows = []
    for sent in re.findall(r"D\b ?(?=\w|\{|$)[^ ]*|[^ ]+", now):
        parts = ROW.fullmatch(sent)
        assert parts is not None, f"{sent!r} is no row"
        deleted, key, value = parts.groups()
        row = {"id": key or "1", **(_columns(value) if value else {})}
        rows.append(ExpectedRow(row["id"], row, bool(deleted)))
    return tuple(rows)


def history(
    name: str, sentence: str, arrives: str, versions: str, now: str, excluded: int = 0
) -> Case:
    """A case in the notation of this module."""
    return Case(
        name,
        sentence,
        tuple(tuple(_body(sent) for sent in run.split()) for run in arrives.split("|")),
        tuple(_version(sent) for sent in versions.split()),
        _rows(now),
        excluded,
    )


# -------------------------------------------------------------------------------- cases

CASES: tuple[Case, ...] = (
    history(
        "late_between",
        "a late change takes its place between two that are known",
        "a@10 c@20 | b@15",
        "a[10,15) b[15,20) c[20,)",
        "c",
    ),
    history(
        "late_first",
        "a late change that is the oldest opens the history and leaves the current row alone",
        "a@10 | b@5",
        "b[5,10) a[10,)",
        "a",
    ),
    history(
        "equal_neighbours",
        "equal neighbours are one version until a late change parts them",
        "A@5 A@10 A@15 | C@20 | B@12",
        "A[5,12) B[12,15) A[15,20) C[20,)",
        "C",
    ),
    history(
        "late_delete_between",
        "a late delete between two changes leaves a gap",
        "a@10 b@30 | D@20",
        "a[10,20)D b[30,)",
        "b",
    ),
    history(
        "earlier_delete_late",
        "of two deletes the earlier one ends the version, in whatever order they arrive",
        "a@10 D@20 | D@15",
        "a[10,15)D",
        "D a",
    ),
    history(
        "delete_before_insert",
        "a delete that arrives before the row still counts against it",
        "D@20 | | x@10",
        "x[10,20)D",
        "D x",
    ),
    history(
        "delete_alone",
        "a delete of a row that nobody has seen opens no version and gives a deleted row",
        "D@5",
        "",
        "D",
    ),
    history(
        "lifecycle",
        "a row that is deleted and comes back has a gap in its history",
        "a@10 b@20 D@30 c@40",
        "a[10,20) b[20,30)D c[40,)",
        "c",
    ),
    history(
        "excluded_by_place",
        "a change whose place cdc_excluded_events names is as if it had never come",
        "a@10#1 f@99#2 | b@20#3",
        "a[10,20) b[20,)",
        "b",
        excluded=1,
    ),
    history(
        "excluded_and_delivered_again",
        "a change that is excluded by one place is excluded in all its deliveries",
        "a@10#1 f@99#2 | b@20#3 | f@99#4",
        "a[10,20) b[20,)",
        "b",
        excluded=1,
    ),
    history(
        "excluded_by_a_later_delivery",
        "a delivery at a place that is named takes out a change that rows were built from",
        "a@10#1 f@99#2 | b@20#3 | f@99#9",
        "a[10,20) b[20,)",
        "b",
        excluded=1,
    ),
    history(
        "excluded_delete",
        "a delete that is excluded ends nothing",
        "a@10#1 D@20#2 b@30#3",
        "a[10,30) b[30,)",
        "b",
        excluded=1,
    ),
    history(
        "same_again",
        "a change that changes nothing opens no version",
        "a@10 a@20",
        "a[10,)",
        "a",
    ),
    history(
        "exact_duplicates",
        "an exact duplicate counts once, in the same run and in a later one",
        "a@10 a@10 | a@10 b@20 | b@20",
        "a[10,20) b[20,)",
        "b",
    ),
    history(
        "replayed",
        "a whole lifecycle that is delivered again changes nothing",
        "a@10 b@20 D@30 c@40 | | a@10 b@20 D@30 c@40",
        "a[10,20) b[20,30)D c[40,)",
        "c",
    ),
    history(
        "late_truncate",
        "a late truncate ends what is older and spares what is newer",
        "a@10 | b@30 | T@20",
        "a[10,20)T b[30,)",
        "b",
    ),
    history(
        "truncate_last",
        "a row that was truncated is a deleted row with its last values",
        "a@10 | T@20",
        "a[10,20)T",
        "D a",
    ),
    Case(
        "truncate_without_position",
        "a truncate without a position ends the rows whose last change was committed before it",
        (
            (full(5, "1", v="x", second=10), full(10, "2", v="y", second=60), truncate_at(50)),
            (),
            (full(20, "3", v="z", second=40),),
        ),
        (
            version(5, 5, "T", "1", v="x", seconds=(10, 50)),
            version(10, None, "", "2", v="y", seconds=(60, None)),
            version(20, 20, "T", "3", v="z", seconds=(40, 50)),
        ),
        (deleted("1", v="x"), present("2", v="y"), deleted("3", v="z")),
    ),
    Case(
        "ignored_columns",
        "a change in an ignored column alone is made in place, also in a version that is closed",
        (
            (full(10, v="a", seen=1, table=IGNORING_TABLE), full(20, v="a", seen=2, table=IGNORING_TABLE)),
            (full(30, v="b", seen=4, table=IGNORING_TABLE),),
            (full(25, v="a", seen=3, table=IGNORING_TABLE), full(40, v="b", seen=5, table=IGNORING_TABLE)),
        ),
        (version(10, 30, v="a", seen=3), version(30, v="b", seen=5)),
        (present(v="b", seen=5),),
    ),
    history(
        "dropped_column",
        "a full image without a column ends it, and older versions keep it",
        "{v=a,w=1}@10 b@30 | a@20",
        "{v=a,w=1}[10,20) a[20,30) b[30,)",
        "b",
    ),
    history(
        "no_inheritance",
        "a partial image inherits nothing from before a delete, even if the delete is late",
        "{v=a,w=1}@10 +b@30 | D@20",
        "{v=a,w=1}[10,20)D b[30,)",
        "b",
    ),
    history(
        "partial_images",
        "a partial image keeps the columns it lacks and sets the nulls it names",
        "{v=a,w=1,x=2}@10 +{v=null}@20 | +{w=9}@15",
        "{v=a,w=1,x=2}[10,15) {v=a,w=9,x=2}[15,20) {v=null,w=9,x=2}[20,)",
        "{v=null,w=9,x=2}",
    ),
    history(
        "all_keys_forwards",
        "`set id = id + 1` ends with all rows where it arrives in order",
        "1:a@10 2:b@10 3:c@10 1>2:a@20/1 2>3:b@20/2 3>4:c@20/3",
        "1:a[10,20/1)K 2:b[10,20/1)K 2:a[20/1,) 3:c[10,20/2)K 3:b[20/2,) 4:c[20/3,)",
        "D1:a 2:a 3:b 4:c",
    ),
    history(
        "all_keys_backwards",
        "`set id = id + 1` ends with all rows where it arrives backwards over three runs",
        "3>4:c@20/3 | 2>3:b@20/2 1>2:a@20/1 | 3:c@10 2:b@10 1:a@10",
        "1:a[10,20/1)K 2:b[10,20/1)K 2:a[20/1,) 3:c[10,20/2)K 3:b[20/2,) 4:c[20/3,)",
        "D1:a 2:a 3:b 4:c",
    ),
    history(
        "chain_of_moves",
        "partial images find their columns through a chain of key changes that arrives backwards",
        "2>3:+c@30 | 1>2:+b@20 | {v=a,w=1}@10",
        "1:{v=a,w=1}[10,20)K 2:{v=b,w=1}[20,30)K 3:{v=c,w=1}[30,)",
        "D1:{v=a,w=1} D2:{v=b,w=1} 3:{v=c,w=1}",
    ),
    Case(
        "conflicting",
        "two different changes that claim one identity are both kept",
        (
            (full(10, v="a", message_id="one"),),
            (),
            (full(20, v="b", message_id="one"), full(30, v="c", message_id="one")),
        ),
        (version(10, 20, v="a"), version(20, 30, v="b"), version(30, v="c")),
        (present(v="c"),),
    ),
    history(
        "snapshot_between",
        "a snapshot row comes after the last change before it was read and never beats a later one",
        "a@10 c@30 | b~20",
        "a[10,10^20) b[10^20,30) c[30,)",
        "c",
    ),
    history(
        "snapshot_of_deleted",
        "a snapshot row does not bring back a row that was deleted later",
        "a@10 D@30 | b~20",
        "a[10,10^20) b[10^20,30)D",
        "D b",
    ),
    history(
        "snapshot_last",
        "a snapshot row that was read after all changes is the current row",
        "b~40 | a@10",
        "a[10,10^40) b[10^40,)",
        "b",
    ),
    history(
        "restored",
        "a restored source begins its positions again in a new epoch",
        "a@50 b@10^70 | c@40",
        "c[40,50) a[50,10^70) b[10^70,)",
        "b",
    ),
    Case(
        "restored_amid_moves",
        "a transaction of a restored source does not go on where one of the same name ended before",
        (
            (full(10, "1", v="a"), full(11, "2", v="b"), move(30, "1", "2", v="a")),
            ({**move(30, "2", "3", image="partial", w=9), "committed_at": _time(70)},),
        ),
        (
            version(10, 30, "K", "1", v="a"),
            version(11, 30, "K", "2", v="b"),
            version(30, 30, "K", "2", v="a", seconds=(30, 70)),
            version(30, None, "", "3", v="a", w=9, seconds=(70, None)),
        ),
        (deleted("1", v="a"), deleted("2", v="a"), present("3", v="a", w=9)),
    ),
    Case(
        "reloaded",
        "a reloaded table ends the rows that do not come back",
        ((full(50, "1", v="a"), full(50, "2", v="a")), (full(10, "1", v="a", second=70),)),
        (
            version(50, None, "R", "1", v="a", seconds=(50, 70)),
            version(10, None, "", "1", v="a", seconds=(70, None)),
            version(50, None, "R", "2", v="a", seconds=(50, 70)),
        ),
        (present("1", v="a"), deleted("2", v="a")),
    ),
    Case(
        "reloaded_late",
        "a reset that arrives before the rows it ends, and then moves, ends them at its first event",
        (
            (full(10, "1", v="b", second=70),),
            (full(50, "1", v="a"), full(50, "2", v="a")),
            (full(5, "1", v="c", second=65),),
        ),
        (
            version(50, None, "R", "1", v="a", seconds=(50, 65)),
            version(5, 10, "", "1", v="c", seconds=(65, 70)),
            version(10, None, "", "1", v="b", seconds=(70, None)),
            version(50, None, "R", "2", v="a", seconds=(50, 65)),
        ),
        (present("1", v="b"), deleted("2", v="a")),
    ),
    Case(
        "reloaded_and_changed",
        "what changes after a reload changes its own row, and the others stay ended as they were",
        (
            (full(50, "1", v="a"), full(50, "2", v="a")),
            (full(10, "1", v="a", second=70),),
            (full(20, "1", v="c", second=80),),
        ),
        (
            version(50, None, "R", "1", v="a", seconds=(50, 70)),
            version(10, 20, "", "1", v="a", seconds=(70, 80)),
            version(20, None, "", "1", v="c", seconds=(80, None)),
            version(50, None, "R", "2", v="a", seconds=(50, 70)),
        ),
        (present("1", v="c"), deleted("2", v="a")),
    ),
    history(
        "redelivered_after_restore",
        "what is delivered again after an epoch began still belongs to the epoch of its own time",
        "a@50 | b@10^70 | a@50",
        "a[50,10^70) b[10^70,)",
        "b",
    ),
    Case(
        "truncates_of_two_tables_late",
        "late truncates of two tables in one transaction end the rows of both before their place",
        (
            (full(10, "1", v="a"), full(10, "2", v="b", table=IGNORING_TABLE)),
            (full("20/3", "1", v="c"),),
            (truncate("20/1"), truncate("20/2", IGNORING_TABLE)),
        ),
        (
            version(10, "20/1", "T", "1", v="a"),
            version("20/3", None, "", "1", v="c"),
            version(10, "20/2", "T", "2", v="b"),
        ),
        (present("1", v="c"), deleted("2", v="b")),
    ),
    history(
        "equal_commit_times",
        "positions order changes of one moment, of which all but the last are valid for no time",
        "a@10 b@20^10 | c@15^10",
        "a[10,15^10) c[15^10,20^10) b[20^10,)",
        "b",
    ),
    Case(
        "smaller_counter_comes_later",
        "of two positions sent for one change the smaller counts, where it came last",
        (
            (full(30, v="b", second=10, message_id="m"), full(20, v="a")),
            (),
            (full(10, v="b", message_id="m"),),
        ),
        (version(10, 20, v="b"), version(20, v="a")),
        (present(v="a"),),
    ),
    Case(
        "smaller_counter_comes_first",
        "of two positions sent for one change the smaller counts, where it came first",
        (
            (full(10, v="b", message_id="m"), full(20, v="a")),
            (),
            (full(30, v="b", second=10, message_id="m"),),
        ),
        (version(10, 20, v="b"), version(20, v="a")),
        (present(v="a"),),
    ),
    Case(
        "reloaded_by_snapshots",
        "rows read at the moment of a reload come before those read later",
        ((snapshot(80, v="second"),), (snapshot(70, v="first"),)),
        (
            version(None, None, "U", v="first", seconds=(70, 80)),
            version(None, v="second", seconds=(80, None)),
        ),
        (present(v="second"),),
    ),
    Case(
        "move_without_position",
        "a key change without a position leaves one row and enters the other at one place",
        (
            (without_position(move(30, "1", "2", image="partial", v="b")),),
            (full(20, "1", v="a", w=1),),
        ),
        (
            version(20, 20, "K", "1", v="a", w=1, seconds=(20, 30)),
            version(20, None, "", "2", v="b", w=1, seconds=(30, None)),
        ),
        (deleted("1", v="a", w=1), present("2", v="b", w=1)),
    ),
    Case(
        "position_comes_later",
        "a change that comes again with the position that it lacked gets it",
        ((without_position(full(10, v="a")),), (full(10, v="a"), full(20, v="b"))),
        (version(10, 20, v="a"), version(20, v="b")),
        (present(v="b"),),
    ),
    Case(
        "earlier_time_comes_first",
        "of two times sent for one change the earlier counts, where it came first",
        ((full(10, second=8, v="a"),), (full(10, second=12, v="a"), full(20, v="b"))),
        (version(10, 20, v="a", seconds=(8, 20)), version(20, v="b")),
        (present(v="b"),),
    ),
    Case(
        "earlier_time_comes_later",
        "of two times sent for one change the earlier counts, where it came last",
        ((full(10, second=12, v="a"),), (full(10, second=8, v="a"), full(20, v="b"))),
        (version(10, 20, v="a", seconds=(8, 20)), version(20, v="b")),
        (present(v="b"),),
    ),
    history(
        "deleted_and_inserted_at_one_position",
        "a row that is deleted and inserted again at one position lives",
        "a@10#1 | D@20#2 b@20#3",
        "a[10,20)D b[20,)",
        "b",
    ),
    history(
        "inserted_and_deleted_at_one_position",
        "a row that is written and then deleted at one position is deleted",
        "a@10#1 | b@20#2 D@20#3",
        "a[10,20) b[20,20)D",
        "D b",
    ),
    history(
        "tie_split_over_runs",
        "changes that share a position lie in the order of their offsets, whichever lands first",
        "c@20#7 | a@20#5 | b@20#6",
        "a[20,20) b[20,20) c[20,)",
        "c",
    ),
    history(
        "tie_delivered_again_later",
        "a change that is delivered again at a later place stays where it was",
        "a@20#1 b@20#2 | | a@20#9",
        "a[20,20) b[20,)",
        "b",
    ),
    history(
        "tie_delivered_again_earlier",
        "an earlier delivery of a change that lands last takes the change to its place",
        "b@20#5 a@20#7 | a@20#6 | a@20#3",
        "a[20,20) b[20,)",
        "b",
    ),
    Case(
        "tie_in_one_message",
        "of two changes at one position in one list the later one counts",
        (
            (carried_at(1, full(20, v="a", message_id="m2"), full(20, v="b", message_id="m1")),),
            (carried_at(2, full(30, "2", v="c"), delete(30, "2")),),
        ),
        (
            version(20, 20, v="a"),
            version(20, v="b"),
            version(30, 30, "D", "2", v="c"),
        ),
        (present(v="b"), deleted("2", v="c")),
    ),
    Case(
        "tie_of_snapshot_rows",
        "of two snapshot rows without position and time the one that was carried later counts",
        (
            (carried_at(8, without_time(snapshot(1, v="second"))),),
            (carried_at(5, without_time(snapshot(2, v="first"))),),
        ),
        (version(None, None, "U", v="first"), version(None, v="second")),
        (present(v="second"),),
    ),
    Case(
        "tie_of_changes_without_position",
        "changes without a position at one time lie in the order in which they were carried",
        (
            (carried_at(4, without_position(full(20, v="b"))),),
            (carried_at(3, without_position(delete(20))), full(10, v="a")),
        ),
        (
            version(10, 10, "D", v="a", seconds=(10, 20)),
            version(10, None, "", v="b", seconds=(20, None)),
        ),
        (present(v="b"),),
    ),
    Case(
        "least_place_and_least_counter",
        "the least counter and the least place count, even if two deliveries bring them",
        (
            (carried_at(9, full(20, v="a", message_id="m")), carried_at(5, full(20, v="b"))),
            (),
            (carried_at(3, full(25, v="a", second=20, message_id="m")),),
        ),
        (version(20, 20, v="a"), version(20, v="b")),
        (present(v="b"),),
    ),
    Case(
        "partial_image_names_its_columns",
        "a partial image that names the table's columns brings back none that is gone",
        (
            (full(10, v="a", w=1, x=2),),
            (with_columns(partial(30, v="c"), "v", "x"), with_columns(partial(20, v="b"), "v", "w", "x")),
        ),
        (
            version(10, 20, v="a", w=1, x=2),
            version(20, 30, v="b", w=1, x=2),
            version(30, v="c", x=2),
        ),
        (present(v="c", x=2),),
    ),
    Case(
        "column_that_comes_back",
        "a column that is gone and comes back holds what was sent since",
        (
            (full(10, v="a", w=1), with_columns(partial(20, v="b"), "v")),
            (with_columns(partial(30, v="c"), "v", "w"), with_columns(partial(40, w=4), "v", "w")),
        ),
        (
            version(10, 20, v="a", w=1),
            version(20, 30, v="b"),
            version(30, 40, v="c"),
            version(40, v="c", w=4),
        ),
        (present(v="c", w=4),),
    ),
    Case(
        "column_dropped_by_ddl",
        "a dropped column is inherited by no later image, and older versions keep it",
        (
            (full(10, v="a", W=1, x=2), partial(30, v="c")),
            (lose_columns(25, "w", '"X"'),),
            (partial(20, v="b"), full(10, "2", v="a", W=1)),
        ),
        (
            version(10, 20, v="a", W=1, x=2),
            version(20, 30, v="b", W=1, x=2),
            version(30, v="c", x=2),
            version(10, None, "", "2", v="a", W=1),
        ),
        (present(v="c", x=2), present("2", v="a", W=1)),
    ),
    Case(
        "column_dropped_late",
        "a column that a late DDL event drops leaves the images behind it",
        ((full(10, v="a", w=1), partial(30, v="c")), (), (lose_columns(20, "`w`"),)),
        (version(10, 30, v="a", w=1), version(30, v="c")),
        (present(v="c"),),
    ),
    Case(
        "column_dropped_before_a_move",
        "a row that moves to another key takes no dropped column along",
        (
            (full(10, "1", v="a", w=1),),
            (move(30, "1", "2", image="partial", v="b"), lose_columns(20, "w")),
        ),
        (version(10, 30, "K", "1", v="a", w=1), version(30, None, "", "2", v="b")),
        (deleted("1", v="a", w=1), present("2", v="b")),
    ),
    history(
        "table_dropped",
        "the end of a table ends its rows, and a table that comes back begins anew",
        "1:{v=a,w=1}@10 2:a@10 | 1:+b@30 | X@20",
        "1:{v=a,w=1}[10,20)X 1:b[30,) 2:a[10,20)X",
        "1:b D2:a",
    ),
    history(
        "table_dropped_early",
        "the end of a table that lands before its rows ends them too, and once if it comes twice",
        "X@20 | a@10 | X@20",
        "a[10,20)X",
        "D a",
    ),
    Case(
        "name_taken_over",
        "a table that takes the name of another one ends the rows of that one",
        (
            (named(5, "16401"), full(10, "1", v="a"), full(11, "2", v="a"), named(15, "16401")),
            (full(30, "2", v="b"),),
            (named(40, "16777"), named(20, "16777")),
        ),
        (
            version(10, 20, "X", "1", v="a"),
            version(11, 20, "X", "2", v="a"),
            version(30, None, "", "2", v="b"),
        ),
        (deleted("1", v="a"), present("2", v="b")),
    ),
    Case(
        "name_taken_over_late",
        "a late schema message moves the place where a name was taken over",
        (
            (full(10, "1", v="a"), full(20, "2", v="a"), named(5, "16401"), named(25, "16777")),
            (named(15, "16777"),),
            (named(18, "16401"), full(30, "3", v="c")),
        ),
        (
            version(10, 15, "X", "1", v="a"),
            version(20, 25, "X", "2", v="a"),
            version(30, None, "", "3", v="c"),
        ),
        (deleted("1", v="a"), deleted("2", v="a"), present("3", v="c")),
    ),
    Case(
        "name_taken_over_known_late",
        "a name counts as taken over once the message of the table that had it before has landed",
        (
            (named(20, "16777"), full(10, "1", v="a"), full(30, "2", v="b")),
            (),
            (named(5, "16401"),),
        ),
        (version(10, 20, "X", "1", v="a"), version(30, None, "", "2", v="b")),
        (deleted("1", v="a"), present("2", v="b")),
    ),
    Case(
        "name_taken_over_at_the_time_of_its_transaction",
        "a schema message without a time ends the table at the time of its transaction",
        (
            (named(5, "16401"), full(10, v="a")),
            (named(20, "16777", committed_at=None, transaction="t20"),),
            (commit("20/9", 24, "t20"),),
        ),
        (version(10, 20, "X", v="a", seconds=(10, 24)),),
        (deleted(v="a"),),
    ),
)  # fmt: skip

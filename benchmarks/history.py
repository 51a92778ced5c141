"""A seeded history of one table, written change by change, and its totals, which results are checked against.

A vendor's folder turns a `Change` into the bodies that its producer would send. Rows have 16 columns;
an insert sets them all, an update sets `event_number` and one other. Keys are skewed; a few
changes arrive late, a few twice. What was delivered by a landing batch, and so what is true after
it, is known from arrays alone, without any of the jobs that are measured.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

COLUMNS = (
    ("id", "number"),
    ("event_number", "number"),
    ("customer_id", "number"),
    ("status", "text"),
    ("total", "decimal"),
    ("currency", "text"),
    ("quantity", "number"),
    ("placed_at", "text"),
    ("shipped_at", "text"),
    ("email", "text"),
    ("street", "text"),
    ("city", "text"),
    ("country", "text"),
    ("comment", "text"),
    ("is_gift", "boolean"),
    ("warehouse", "text"),
)
NAMES = tuple(name for name, _ in COLUMNS)
QUANTITY = NAMES.index("quantity")
INSERT, UPDATE, DELETE = range(3)
OPERATIONS = ("insert", "update", "delete")
STATUSES = ("placed", "paid", "picked", "shipped", "returned")
CITIES = ("Berlin", "Zürich", "Kraków", "São Paulo", "Oslo", "Reykjavík", "Lyon")
START = datetime(2026, 1, 1, tzinfo=UTC)
MILLISECONDS_APART = 185  # of transactions
CHANGES_A_TRANSACTION = 5
LATE_SHARE = 0.03
LATEST = 5_000
TWICE_SHARE = 0.02
CHUNK = 50_000


@dataclass(slots=True)
class Change:
    """One change of one row; values are JSON texts in the order of COLUMNS."""

    number: int  # from 1, in commit order
    operation: int
    key: int
    values: list[str]  # a delete's are the row's last
    values_before: list[str] | None
    changed: Sequence[int]  # indexes of the columns that an update set
    committed_at: datetime
    transaction: int
    index: int  # within the transaction, from 0
    is_last: bool


Encoder = Callable[[Change], list[str]]


@dataclass
class ExpectedTotals:
    """What the marts must say, as sums that any job can give."""

    changes: int
    rows: int
    deleted_rows: int
    live_event_numbers: int
    live_quantities: int
    versions: int
    version_event_numbers: int
    version_numbers: int
    closed_versions: int
    valid_micros: int  # of closed versions, together


def sums_of_marts(schema: str, vendor: str = "%") -> str:
    """A query whose one row has the columns of `ExpectedTotals`, of a package's marts; `vendor` is a like-pattern."""
    # As texts, since some vendors send numbers so.
    row = "from_json(`row`, 'event_number string, quantity string')"
    return f"""
        with current_rows as (
            select not is_deleted as is_live, {row} as held from {schema}.cdc_current_rows where vendor like '{vendor}'
        ),
        versions as (
            select *, {row} as held from {schema}.cdc_row_versions where vendor like '{vendor}'
        )
        select
            (select count(*) from {schema}.cdc_changelog where row_key is not null and vendor like '{vendor}') as changes,
            (select count(*) from current_rows) as `rows`,
            (select count_if(not is_live) from current_rows) as deleted_rows,
            (select sum(bigint(held.event_number)) from current_rows where is_live) as live_event_numbers,
            (select sum(bigint(held.quantity)) from current_rows where is_live) as live_quantities,
            count(*) as versions,
            sum(bigint(held.event_number)) as version_event_numbers,
            sum(version_number) as version_numbers,
            count_if(not is_current) as closed_versions,
            sum(unix_micros(valid_to) - unix_micros(valid_from)) as valid_micros
        from versions
    """


@dataclass
class History:
    """What happened and what was delivered when; arrays are indexed by event number − 1."""

    key: np.ndarray
    operation: np.ndarray
    quantity: np.ndarray
    sets_quantity: np.ndarray
    delivered: list[np.ndarray] = field(default_factory=list)  # event numbers per landing batch

    def expected_totals(self, batches: int, partial: bool = False) -> ExpectedTotals:
        """What is true once the first landing batches have arrived.

        partial: whether updates were sent with the columns alone that they set.
        """
        numbers = np.unique(np.concatenate(self.delivered[:batches]))
        index = numbers - 1
        order = np.lexsort((numbers, self.key[index]))
        numbers = numbers[order]
        index = numbers - 1
        key, operation = self.key[index], self.operation[index]
        is_last = np.append(key[1:] != key[:-1], True)
        is_first = np.append(True, key[1:] != key[:-1])
        lives = operation != DELETE
        next_number = np.append(numbers[1:], 0)
        is_closed = lives & ~is_last
        rows = np.cumsum(is_first) - 1
        lived_before = np.cumsum(lives)
        version_number = lived_before - (lived_before - lives)[is_first][rows]
        quantity = self.quantity[index].copy()
        if partial:
            quantity = self._folded(operation, index, is_first)
        live = is_last & lives
        return ExpectedTotals(
            changes=len(numbers),
            rows=int(is_first.sum()),
            deleted_rows=int((is_last & ~lives).sum()),
            live_event_numbers=int(numbers[live].sum()),
            live_quantities=int(quantity[live].sum()),
            versions=int(lives.sum()),
            version_event_numbers=int(numbers[lives].sum()),
            version_numbers=int(version_number[lives].sum()),
            closed_versions=int(is_closed.sum()),
            valid_micros=int((_transaction(next_number) - _transaction(numbers))[is_closed].sum())
            * MILLISECONDS_APART
            * 1000,
        )

    def _folded(self, operation: np.ndarray, index: np.ndarray, is_first: np.ndarray) -> np.ndarray:
        """The last value known within the row's present life; 0 where none is."""
        sets = self.sets_quantity[index] | (operation == INSERT)
        begins = is_first | (operation == INSERT) | np.append(False, operation[:-1] == DELETE)
        places = np.arange(len(index))
        last_set = np.maximum.accumulate(np.where(sets, places, -1))
        begun = np.maximum.accumulate(np.where(begins, places, -1))
        return np.where(last_set >= begun, self.quantity[index][last_set], 0)


def _transaction(numbers: np.ndarray) -> np.ndarray:
    return (numbers - 1) // CHANGES_A_TRANSACTION + 1


def value(column: int, key: int, number: int) -> str:
    """The JSON text of a column that was set by an event."""
    match NAMES[column]:
        case "id":
            return str(key)
        case "event_number":
            return str(number)
        case "customer_id":
            return str(key * 7919 % 100_003)
        case "status":
            return f'"{STATUSES[number % len(STATUSES)]}"'
        case "total":
            return f"{number % 9973}.{number % 89 + 10}"
        case "currency":
            return '"EUR"' if number % 3 else '"CHF"'
        case "quantity":
            return str(number % 100)
        case "placed_at" | "shipped_at":
            return f'"2026-{number % 12 + 1:02}-{number % 28 + 1:02}T{number % 24:02}:15:00"'
        case "email":
            return f'"customer{key}@example.com"'
        case "street":
            return f'"{number % 200 + 1} Long Market Street, floor {number % 9}"'
        case "city":
            return f'"{CITIES[number % len(CITIES)]}"'
        case "country":
            return '"DE"'
        case "comment":
            return f'"Please leave parcel {number} with the neighbours, thank you."'
        case "is_gift":
            return "true" if number % 4 == 0 else "false"
        case _:
            return f'"W{number % 37:03}"'


def changes(
    seed: int, count: int, rows: int, hot_changes: int = 0
) -> Iterator[tuple[Change, list[int]]]:
    """Every change in commit order, with the delays of its deliveries in events (0: at once).

    rows: how many keys there are; hot_changes: how many of the changes fall on one of them.
    """
    chance = random.Random(seed)
    live: dict[int, list[str]] = {}
    hot = hot_changes / count
    for number in range(1, count + 1):
        key = 1 + int(rows * chance.random() ** 2)
        if hot and chance.random() < hot:
            key = 0
        before = live.get(key)
        changed: Sequence[int] = ()
        if before is None:
            operation = INSERT
            values = [value(column, key, number) for column in range(len(COLUMNS))]
            live[key] = values
        elif key and chance.random() < 0.06:
            operation = DELETE
            values = before
            del live[key]
        else:
            operation = UPDATE
            other = 2 + number % (len(COLUMNS) - 2)
            values = before.copy()
            values[1] = str(number)
            values[other] = value(other, key, number)
            changed = (1, other)
            live[key] = values
        index = (number - 1) % CHANGES_A_TRANSACTION
        transaction = (number - 1) // CHANGES_A_TRANSACTION + 1
        delays = [0]
        # The first change of a transaction is never late: it brings what the others need.
        if index and chance.random() < LATE_SHARE:
            delays = [chance.randint(1, LATEST)]
        if chance.random() < TWICE_SHARE:
            delays.append(chance.randint(1, LATEST))
        yield (
            Change(
                number=number,
                operation=operation,
                key=key,
                values=values,
                values_before=before if operation == UPDATE else None,
                changed=changed,
                committed_at=START + timedelta(milliseconds=transaction * MILLISECONDS_APART),
                transaction=transaction,
                index=index,
                is_last=index == CHANGES_A_TRANSACTION - 1 or number == count,
            ),
            delays,
        )


SCHEMA = pa.schema(
    [("value", pa.string()), ("source", pa.string()), ("topic", pa.string()),
     ("partition", pa.int32()), ("offset", pa.int64()), ("landing_batch", pa.int64())]
)  # fmt: skip


def write(
    path: Path,
    encode: Encoder,
    batch_sizes: Sequence[int],
    seed: int,
    rows: int,
    hot_changes: int = 0,
    topic: str = "shop.orders",
) -> History:
    """Write the messages of a history as Parquet with the columns of a raw table.

    batch_sizes: how many deliveries of changes each landing batch takes; the last one takes what is
    left over too.
    """
    count = sum(batch_sizes)
    history = History(
        key=np.zeros(count, np.int64),
        operation=np.zeros(count, np.int8),
        quantity=np.zeros(count, np.int64),
        sets_quantity=np.zeros(count, bool),
    )
    waiting: dict[int, list[tuple[int, list[str]]]] = defaultdict(list)
    ends = np.cumsum(batch_sizes)
    batch, offset, arrived = 1, 0, 0
    numbers: list[int] = []
    chunk: list[tuple[str, int, int]] = []
    with pq.ParquetWriter(path, SCHEMA, compression="zstd") as writer:

        def flush() -> None:
            bodies, offsets, batches = zip(*chunk, strict=True)
            size = len(chunk)
            writer.write_table(
                pa.table(
                    [list(bodies), ["bench"] * size, [topic] * size, pa.array([0] * size, pa.int32()),
                     list(offsets), list(batches)],
                    schema=SCHEMA,
                )
            )  # fmt: skip
            chunk.clear()

        def deliver(number: int, bodies: list[str]) -> None:
            nonlocal batch, offset, arrived
            if batch < len(batch_sizes) and arrived == ends[batch - 1]:
                history.delivered.append(np.array(numbers))
                numbers.clear()
                batch += 1
            arrived += 1
            numbers.append(number)
            for body in bodies:
                chunk.append((body, offset, batch))
                offset += 1
            if len(chunk) >= CHUNK:
                flush()

        for change, delays in changes(seed, count, rows, hot_changes):
            place = change.number - 1
            history.key[place] = change.key
            history.operation[place] = change.operation
            history.quantity[place] = int(change.values[QUANTITY])
            history.sets_quantity[place] = QUANTITY in change.changed
            bodies = encode(change)
            for delay in delays:
                if delay:
                    waiting[change.number + delay].append((change.number, bodies))
                else:
                    deliver(change.number, bodies)
            for number, late in waiting.pop(change.number, ()):
                deliver(number, late)
        for due in sorted(waiting):
            for number, late in waiting[due]:
                deliver(number, late)
        if chunk:
            flush()
    history.delivered.append(np.array(numbers))
    return history


def row_text(values: Sequence[str], columns: Sequence[int] | None = None) -> str:
    """A row, or some of its columns, as compact JSON text."""
    names = NAMES if columns is None else [NAMES[column] for column in columns]
    sent = values if columns is None else [values[column] for column in columns]
    return "{" + ",".join(f'"{name}":{text}' for name, text in zip(names, sent, strict=True)) + "}"

"""Append messages to `cdc_raw.<vendor>` through a Thrift server, byte for byte, in one commit.

    connection = connect("127.0.0.1", 10000)
    land(connection, vendor, "orders-feed", [Message('{"a":1}', topic="orders", offset=7)])

Bodies never become SQL literals: text travels as base64, or as a Parquet file that a local server
reads. So quotes, backslashes and `${x}` arrive as they are. Bytes that are not UTF-8 are kept as
base64, with a header that says so.
"""

from __future__ import annotations

import base64
import json
import re
import shutil
import uuid
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import chain
from pathlib import Path
from typing import Any

from cdc_changelog.client import (
    ATTEMPTS,
    ServerError,
    SqlConnection,
    may_repeat,
    run_repeatable,
    run_sql,
    sql_literal,
    wait_before_repeating,
)
from cdc_changelog.landing.bodies import LandingError, Message, as_text
from cdc_changelog.landing.leftovers import clear_folders, clear_tables, make_folder, new_name

DEFAULT_RAW_SCHEMA = "cdc_raw"
# One statement holds at most this much body text (bytes); base64 twice makes 1.8 times as much SQL.
CHUNK_BYTES = 2_000_000
# A larger body is an error before anything is landed.
LARGEST_BODY = 100_000_000
# A body in a statement is cut into parts of this many bytes, since Spark's JSON reader takes no
# text above 20,000,000 characters; a multiple of 3, so that the base64 of the parts can be joined.
PART_BYTES = 1_500_000
LOCAL_HOSTS = frozenset({"localhost", "127.0.0.1", "::1", "0.0.0.0"})

# The columns of Spark's Kafka source, decoded, and two more; cdc_raw_columns() has the same.
RAW_COLUMNS: tuple[tuple[str, str, str], ...] = (
    ("value", "string", "the body exactly as received"),
    ("key", "string", "message key"),
    ("headers", "map<string, string>", "transport or HTTP headers"),
    ("topic", "string", "topic, or `file:` and the name of the file"),
    ("partition", "int", "partition, 0 for a file"),
    ("offset", "bigint", "offset, or line number in the file"),
    ("timestamp", "timestamp", "time of the transport, UTC"),
    ("source", "string", "name of the feed"),
    ("landing_batch", "bigint", "grows with arrival; a batch, once landed, never changes"),
)
MESSAGE_STRUCT = (
    "struct<value: string, key: string, headers: map<string, string>, topic: string,"
    " `partition`: int, `offset`: bigint, timestamp_micros: bigint>"
)
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class AppendedBatch:
    """What one call put into a raw table."""

    landing_batch: int
    messages: int


def check_name(what: str, name: str) -> str:
    """Return a name that needs no quotes in SQL.

    Raises LandingError otherwise.
    """
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise LandingError(
            f"{what} is {name!r}; expected lower-case letters, digits and underscores."
        )
    return name


def create_raw_table(
    connection: SqlConnection, vendor: str, raw_schema: str, table_format: str
) -> str:
    """Create schema and table of a vendor where missing and return the table's name."""
    table = f"{check_name('raw schema', raw_schema)}.{check_name('vendor', vendor)}"
    columns = ", ".join(f"`{name}` {kind} comment '{text}'" for name, kind, text in RAW_COLUMNS)
    run_repeatable(connection, f"create schema if not exists {raw_schema}")
    run_repeatable(
        connection,
        f"create table if not exists {table} ({columns}) using {table_format}"
        " partitioned by (landing_batch)",
    )
    return table


def value_bytes(message: Message) -> bytes | None:
    """Return a body as bytes; text is encoded as UTF-8."""
    return message.value.encode() if isinstance(message.value, str) else message.value


def timestamp_micros(message: Message) -> int | None:
    """Return microseconds since 1970 UTC.

    Raises LandingError for a time without zone, which could mean any of 38 instants.
    """
    if message.timestamp is None:
        return None
    if message.timestamp.tzinfo is None:
        raise LandingError(f"timestamp {message.timestamp} has no time zone.")
    return (message.timestamp - EPOCH) // timedelta(microseconds=1)


def chunks(messages: Iterable[Message], chunk_bytes: int = CHUNK_BYTES) -> Iterator[list[Message]]:
    """Cut messages into lists of about `chunk_bytes` of body text; a larger body stands alone.

    Raises LandingError for a body above LARGEST_BODY.
    """
    current: list[Message] = []
    size = 0
    for message in messages:
        body_length = len(value_bytes(message) or b"")
        if body_length > LARGEST_BODY:
            raise LandingError(
                f"A body of {body_length:,} bytes ({message.topic}, offset {message.offset}) is"
                f" larger than the {LARGEST_BODY:,} that can be landed; nothing was landed."
            )
        length = body_length + 200
        if current and size + length > chunk_bytes:
            yield current
            current, size = [], 0
        current.append(message)
        size += length
    if current:
        yield current


def messages_as_sql(messages: list[Message]) -> str:
    """Return a SQL relation with a row a message: `position`, and `m` (MESSAGE_STRUCT).

    `m.value` is base64.
    """
    rows = []
    for message in messages:
        body = value_bytes(message)
        rows.append(
            {
                "value": None if body is None else base64.b64encode(body).decode(),
                "key": message.key,
                "headers": None if message.headers is None else dict(message.headers),
                "topic": message.topic,
                "partition": message.partition,
                "offset": message.offset,
                "timestamp_micros": timestamp_micros(message),
            }
        )
    document = sql_literal(json.dumps(rows, ensure_ascii=False))
    return f"(select posexplode(from_json({document}, 'array<{MESSAGE_STRUCT}>')) as (position, m))"


def _insert(
    connection: SqlConnection,
    table: str,
    source: str,
    batch: int,
    value: str,
    relation: str,
    count: int,
) -> None:
    """Append the messages of a relation in one commit.

    Raises LandingError, with nothing landed, where the server has not got `count` of them.
    """
    names = ", ".join(f"`{name}`" for name, _, _ in RAW_COLUMNS)
    differ = f"concat('{count} messages were sent, and ', counted.arrived, ' arrived')"
    statement = (
        f"insert into {table} ({names}) select {value}, m.key, m.headers, m.topic, m.`partition`,"
        f" m.`offset`, timestamp_micros(m.timestamp_micros), {sql_literal(source)},"
        f" cast({batch} as bigint) from {relation} as sent"
        f" cross join (select count(*) as arrived from {relation} as sent) as counted"
        f" where if(counted.arrived = {count}, true, raise_error({differ}))"
    )
    for attempt in range(ATTEMPTS):
        try:
            run_sql(connection, statement)
            break
        except ServerError as error:
            # Whether it was before or after the commit is not known, so the table is asked.
            if not may_repeat(attempt, error) or _count(connection, table, batch):
                raise LandingError(str(error)) from error
            wait_before_repeating(attempt)
    # Of a relation without any row there is none at which the statement could have failed.
    if (found := _count(connection, table, batch)) != count:
        raise LandingError(
            f"{count} messages were sent to {table}, and {found} arrived in batch {batch}."
        )


def _count(connection: SqlConnection, table: str, batch: int) -> int:
    """How many messages a landing batch holds."""
    sql = f"select count(*) from {table} where landing_batch = {batch}"
    return int(run_repeatable(connection, sql)[0][0])


def append_messages(
    connection: SqlConnection,
    table: str,
    source: str,
    batch: int,
    messages: Iterable[Message],
    table_format: str,
    staging_dir: Path | None = None,
    report: Callable[[str], None] = lambda text: None,
) -> int:
    """Append messages to a raw table as one batch, in one commit, and return their number.

    Up to CHUNK_BYTES they travel inside the statement. More go through a Parquet file in
    `staging_dir`, if the server sees that folder, else through a staging table beside the raw one.
    Raises LandingError, with nothing landed, where not all of them arrive.
    """
    pieces = chunks(map(as_text, messages))
    first = next(pieces, None)
    if first is None:
        return 0
    second = next(pieces, None)
    if second is None and sum(len(value_bytes(message) or b"") for message in first) <= CHUNK_BYTES:
        value = "cast(unbase64(m.value) as string)"
        relation = messages_as_sql(first)
        _insert(connection, table, source, batch, value, relation, len(first))
        return len(first)
    every_piece = chain([first], [] if second is None else [second], pieces)
    if staging_dir is not None and _server_sees(connection, staging_dir):
        return _append_by_file(connection, table, source, batch, every_piece, staging_dir)
    if staging_dir is not None:
        report(f"The server cannot read {staging_dir}: sending the bodies in statements (slower).")
    return _append_by_staging_table(connection, table, source, batch, every_piece, table_format)


def _arrow_table(messages: list[Message]) -> Any:
    import pyarrow as pa

    schema = pa.schema(
        [
            ("value", pa.binary()),
            ("key", pa.string()),
            ("headers", pa.map_(pa.string(), pa.string())),
            ("topic", pa.string()),
            ("partition", pa.int32()),
            ("offset", pa.int64()),
            ("timestamp_micros", pa.int64()),
        ]
    )
    rows = [
        {
            "value": value_bytes(message),
            "key": message.key,
            "headers": None if message.headers is None else list(message.headers.items()),
            "topic": message.topic,
            "partition": message.partition,
            "offset": message.offset,
            "timestamp_micros": timestamp_micros(message),
        }
        for message in messages
    ]
    return pa.Table.from_pylist(rows, schema=schema)


def _server_sees(connection: SqlConnection, staging_dir: Path) -> bool:
    """Return whether the server reads files that we write: same machine or a shared folder."""
    import pyarrow.parquet as pq

    folder = make_folder(staging_dir, f"probe-{uuid.uuid4().hex}")
    try:
        pq.write_table(_arrow_table([Message("probe", key=folder.name)]), folder / "probe.parquet")
        rows = run_sql(connection, f"select key from parquet.`{folder.as_uri()}`")
    except ServerError:
        return False
    finally:
        shutil.rmtree(folder)
    return rows == [(folder.name,)]


def _append_by_file(
    connection: SqlConnection,
    table: str,
    source: str,
    batch: int,
    pieces: Iterable[list[Message]],
    staging_dir: Path,
) -> int:
    import pyarrow.parquet as pq

    clear_folders(staging_dir)
    folder = make_folder(staging_dir, new_name())
    count = 0
    try:
        for number, piece in enumerate(pieces):
            pq.write_table(_arrow_table(piece), folder / f"{number:06}.parquet")
            count += len(piece)
        relation = f"(select struct(*) as m from parquet.`{folder.as_uri()}`)"
        _insert(connection, table, source, batch, "cast(m.value as string)", relation, count)
    finally:
        shutil.rmtree(folder)
    return count


def _parts(piece: list[Message]) -> Iterator[list[Message]]:
    """Cut a large body, which is a piece of its own, into parts that each are a message like it."""
    body = value_bytes(piece[0]) or b""
    if len(piece) > 1 or len(body) <= PART_BYTES:
        yield piece
        return
    for start in range(0, len(body), PART_BYTES):
        yield [replace(piece[0], value=body[start : start + PART_BYTES])]


def _joined_parts(staging: str) -> str:
    """Return a SQL relation with one row `m` for each message of a staging table."""
    parts = "transform(array_sort(collect_list(struct(part, m.value as value))), one -> one.value)"
    return (
        f"(select named_struct('value', if(count(m.value) = 0, null, array_join({parts}, '')),"
        " 'key', min_by(m.key, part), 'headers', min_by(m.headers, part),"
        " 'topic', min_by(m.topic, part), 'partition', min_by(m.`partition`, part),"
        " 'offset', min_by(m.`offset`, part),"
        " 'timestamp_micros', min_by(m.timestamp_micros, part)) as m"
        f" from {staging} group by number)"
    )


def _append_by_staging_table(
    connection: SqlConnection,
    table: str,
    source: str,
    batch: int,
    pieces: Iterable[list[Message]],
    table_format: str,
) -> int:
    schema = table.partition(".")[0]
    clear_tables(connection, schema)
    staging = f"{schema}._{new_name()}"
    count = 0
    columns = f"number bigint, part int, m {MESSAGE_STRUCT}"
    run_sql(connection, f"create table {staging} ({columns}) using {table_format}")
    try:
        for piece in pieces:
            for part, messages in enumerate(_parts(piece)):
                run_sql(
                    connection,
                    f"insert into {staging} select {count} + position, {part}, m"
                    f" from {messages_as_sql(messages)}",
                )
            count += len(piece)
        value = "cast(unbase64(m.value) as string)"
        _insert(connection, table, source, batch, value, _joined_parts(staging), count)
    finally:
        run_sql(connection, f"drop table if exists {staging}")
    return count


def largest_batch(connection: SqlConnection, table: str) -> int:
    """Return the largest landing_batch of a raw table, 0 if it is empty."""
    rows = run_repeatable(connection, f"select max(landing_batch) from {table}")
    return int(rows[0][0] or 0)


def has_batch(connection: SqlConnection, table: str, landing_batch: int) -> bool:
    """Return whether a raw table has messages of a batch."""
    found = f"select 1 from {table} where landing_batch = {landing_batch} limit 1"
    return bool(run_sql(connection, found))


def land(
    connection: SqlConnection,
    vendor: str,
    source: str,
    messages: Iterable[Message],
    *,
    landing_batch: int | None = None,
    raw_schema: str = DEFAULT_RAW_SCHEMA,
    table_format: str = "delta",
    staging_dir: Path | None = None,
) -> AppendedBatch:
    """Append messages as one batch, without a ledger: calling twice lands twice.

    Without `landing_batch` the batch takes the number after the largest in the table, so that the
    newest batch has to be kept where raw messages are expired. Raises LandingError if the given
    batch exists: a batch, once landed, never changes.
    """
    table = create_raw_table(connection, vendor, raw_schema, table_format)
    if landing_batch is None:
        batch = largest_batch(connection, table) + 1
    else:
        batch = landing_batch
        if has_batch(connection, table, batch):
            raise LandingError(f"Batch {batch} of {table} exists; a landed batch never changes.")
    count = append_messages(connection, table, source, batch, messages, table_format, staging_dir)
    return AppendedBatch(batch, count)

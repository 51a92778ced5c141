"""`cdc erase crm/customers/17`: takes a person's values out of all that the package stores."""

from __future__ import annotations

import datetime
import hashlib
import json
import re
import uuid
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass

import click

from cdc_changelog.client import SqlConnection, connect, run_sql, sql_literal
from cdc_changelog.commands.row_page import Row, in_one_table
from cdc_changelog.config import CdcError, config_from_environment
from cdc_changelog.lock import give_back_lock
from cdc_changelog.project import project_vars, run_dbt

# Where a message with several events has them: in a list at its top, or in a member of its object.
DECODER = json.JSONDecoder()


@dataclass(frozen=True)
class Place:
    """A message: where it was landed from."""

    vendor: str
    landing_batch: int
    topic: str | None
    partition: int | None
    offset: int | None

    @property
    def condition(self) -> str:
        """Return a SQL condition that holds for this message, in a vendor's raw messages."""
        topic = "null" if self.topic is None else sql_literal(self.topic)
        partition = "null" if self.partition is None else str(self.partition)
        offset = "null" if self.offset is None else str(self.offset)
        return (
            f"landing_batch = {self.landing_batch} and topic <=> {topic}"
            f" and `partition` <=> {partition} and `offset` <=> {offset}"
        )


def ids_of_rows(connection: SqlConnection, work_schema: str, row: Row) -> list[str]:
    """Return the ids of a row and of those that it moved from or to by changes of its key."""
    key = sql_literal(row.key)
    found: set[str] = set()
    new = {
        row_id
        for ids in run_sql(
            connection,
            "select distinct if(row_key = {key}, row_id, null), if(row_key_before = {key},"
            " row_id_before, null)".replace("{key}", key)
            + f" from {work_schema}.int_events where {row.table_is}"
            f" and (row_key = {key} or row_key_before = {key})",
        )
        for row_id in ids
        if row_id is not None
    }
    while new - found:
        found |= new
        ids = ", ".join(map(sql_literal, sorted(found)))
        pairs = run_sql(
            connection,
            f"select distinct row_id, row_id_before from {work_schema}.int_events"
            f" where row_id_before in ({ids}) or (row_id in ({ids}) and row_id_before is not null)",
        )
        new = {row_id for pair in pairs for row_id in pair if row_id is not None}
    return sorted(found)


def spans_of_events(body: str, events: int) -> list[tuple[int, int]]:
    """Return where the events of a message stand in its text: from and up to which character.

    Raises ValueError where not exactly one list of the message has as many elements as it has
    events.
    """
    start = len(body) - len(body.lstrip("\ufeff \t\r\n"))
    lists = [spans for spans in _lists(body, start) if len(spans) == events]
    if len(lists) != 1:
        raise ValueError(f"{len(lists)} lists of this message have {events} elements")
    return lists[0]


def _lists(body: str, start: int) -> Iterator[list[tuple[int, int]]]:
    """Give the elements of the list that a body is, or of each list that its object has."""
    if body[start] == "[":
        yield list(_items(body, start))
    elif body[start] == "{":
        for key_start, _ in _items(body, start):
            _, after_key = DECODER.raw_decode(body, key_start)
            value = _skip(body, _skip(body, after_key) + 1)
            if body[value] == "[":
                yield list(_items(body, value))


def _skip(body: str, position: int) -> int:
    while body[position] in " \t\r\n":
        position += 1
    return position


def _items(body: str, start: int) -> Iterator[tuple[int, int]]:
    """Give from where to where each element of a list, or member of an object, stands."""
    is_object = body[start] == "{"
    position = _skip(body, start + 1)
    while body[position] not in "]}":
        begin = position
        _, position = DECODER.raw_decode(body, begin)
        if is_object:
            _, position = DECODER.raw_decode(body, _skip(body, _skip(body, position) + 1))
        yield begin, position
        position = _skip(body, position)
        if body[position] == ",":
            position = _skip(body, position + 1)


def without_events(body: str, events: int, erased: Sequence[int]) -> str | None:
    """Return a message without some of its events; null where it had none besides.

    In a list an empty object takes the event's place, so that the others keep theirs.
    """
    if events == 1:
        return None
    for begin, end in sorted(
        (spans_of_events(body, events)[index] for index in set(erased)), reverse=True
    ):
        body = f"{body[:begin]}{{}}{body[end:]}"
    return body


def raw_relation(vendor: str) -> str:
    """Return the relation of a vendor's raw messages."""
    variables = project_vars()
    named: str | None = variables["cdc_raw_tables"].get(vendor)
    return named or f"{variables['cdc_raw_schema']}.{vendor}"


def _places(
    connection: SqlConnection, work_schema: str, row_ids: Sequence[str]
) -> dict[Place, set[int]]:
    """Return the messages with events of rows, and which of a message's events those are."""
    ids = ", ".join(map(sql_literal, row_ids))
    store = f"{work_schema}.int_events"
    of_the_rows = f"(row_id in ({ids}) or row_id_before in ({ids}))"
    # The parts of a split change stand in messages of their own.
    of_their_parts = (
        "(status = 'segment' and identity_hash in"
        f" (select identity_hash from {store} where {of_the_rows}))"
    )
    found: dict[Place, set[int]] = {}
    for vendor, batch, topic, partition, offset, index in run_sql(
        connection,
        "select distinct vendor, landing_batch, topic, `partition`, `offset`,"
        f" coalesce(event_index, 0) from {store} where {of_the_rows} or {of_their_parts}",
    ):
        found.setdefault(Place(vendor, batch, topic, partition, offset), set()).add(index)
    return found


def erase_raw_messages(
    connection: SqlConnection, work_schema: str, row_ids: Sequence[str]
) -> tuple[int, int]:
    """Take events of rows out of the raw messages; return how many were emptied, and rewritten.

    Raises CdcError, before anything is written, with a message whose events cannot be found in it.
    """
    bodies: dict[str, dict[str, str | None]] = {}
    for place, indexes in _places(connection, work_schema, row_ids).items():
        where = place.condition
        [(events,)] = run_sql(
            connection,
            f"select max(coalesce(event_index, 0)) + 1 from {work_schema}.int_events"
            f" where vendor = {sql_literal(place.vendor)} and {where}",
        )
        relation = raw_relation(place.vendor)
        landed = run_sql(
            connection, f"select distinct value from {relation} where {where} and value is not null"
        )
        if len(landed) > 1:
            raise CdcError(
                f"{len(landed)} different messages of {relation} lie where {where}, and which of"
                " them is about the row is not known. Nothing was erased. Take the row out of them"
                " by hand."
            )
        for (body,) in landed:
            try:
                new = without_events(body, events, sorted(indexes))
            except (ValueError, IndexError) as error:
                raise CdcError(
                    f"The events of the message of {relation} where {where} cannot be told apart"
                    f" ({error}). Nothing was erased. Take the row out of this message by hand."
                ) from error
            sha256 = hashlib.sha256(body.encode()).hexdigest()
            bodies.setdefault(relation, {})[sha256] = new
    for relation, of_relation in bodies.items():
        lines = ", ".join(
            f"('{sha256}', {'null' if new is None else sql_literal(new)})"
            for sha256, new in of_relation.items()
        )
        run_sql(
            connection,
            f"merge into {relation} as raw using"
            f" (select * from values {lines} as bodies (sha256, value)) as new"
            " on sha2(raw.value, 256) = new.sha256"
            " when matched then update set value = new.value, `key` = null, headers = null",
        )
    changed = [new for of_relation in bodies.values() for new in of_relation.values()]
    return changed.count(None), len(changed) - changed.count(None)


def without_stack_traces(said: str) -> str:
    """Return what dbt said, without the lines that say where in Java it was."""
    return "\n".join(line for line in said.splitlines() if not re.match(r"\s*(at |\.\.\. )", line))


def erase(row: Row, work_schema: str, reason: str, is_confirmed: bool) -> None:
    """Erase a row's values, and say what was removed.

    Raises CdcError where no server answers, several tables have the row, or a raw message cannot be
    rewritten.
    """
    config = config_from_environment()
    name = f"{row.source}/{row.table} {row.key}"
    with closing(connect(config.host, config.port)) as connection:
        row = in_one_table(connection, f"{work_schema}.int_events", row)
        row_ids = ids_of_rows(connection, work_schema, row)
        if not row_ids:
            click.echo(
                f"No event of {row.source}/{row.table} {row.key} has values: nothing to erase."
            )
            return
        ids = ", ".join(map(sql_literal, row_ids))
        [(events,)] = run_sql(
            connection,
            f"select count(*) from {work_schema}.int_events"
            f" where row_id in ({ids}) or row_id_before in ({ids})",
        )
        [(versions,)] = run_sql(
            connection,
            f"select count(*) from {work_schema}.int_row_versions where row_id in ({ids})",
        )
        click.echo(
            f"{name}: {len(row_ids)} keys, {events} events, {versions} versions."
            " This cannot be taken back."
        )
        if not is_confirmed:
            click.confirm("Erase them?", abort=True)
        emptied, rewritten = erase_raw_messages(connection, work_schema, row_ids)
    at = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d %H:%M")
    arguments = json.dumps({"row_ids": row_ids, "detail": f"Erased at {at}: {reason}"})
    run_name = f"erase-{uuid.uuid4()}"
    done = run_dbt(
        *("run-operation", "cdc_changelog.cdc_erase", "--args", arguments),
        environment={"CDC_RUN": run_name},
    )
    if done.returncode:
        give_back_lock(config, run_name, is_interrupted=True)
        raise CdcError(
            "The raw messages have no values any more, but the event store has: run it again.\n"
            f"{without_stack_traces(done.stdout)}"
        )
    click.echo(
        f"Erased: {events} events and {versions} versions; {emptied} raw messages are empty now and"
        f" {rewritten} have an empty object in the event's place. Tables of your own that hold rows"
        " are to be built again: cdc run."
    )

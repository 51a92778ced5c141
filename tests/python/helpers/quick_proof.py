"""What the integration tests compare: the marts, the oracle's opinion of them, hand-written expectations.

The quick proof is the cases and many random histories, landed together in three runs; each
case and each history is a source of its own.
"""

from __future__ import annotations

import json
import os
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from pathlib import Path
from typing import Any

from cdc_changelog.client import sql_literal
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import (
    CASES,
    CONFIGURED_EPOCHS,
    CONFIGURED_EXCLUSIONS,
    CONFIGURED_TABLES,
    START,
    Case,
    ExpectedRow,
    ExpectedVersion,
    without_offset,
)
from tests.python.helpers.dbt_project import (
    NEW_MESSAGES_ALONE,
    DbtProject,
    copy_project,
    keep_vendors,
)
from tests.python.helpers.histories import delivered, excluded_lines, random_history
from tests.python.scenario.oracle import comparable, expected_marts

VERSIONS = """
    select source, table_name, row_key, version_number, `row`, valid_from, valid_to, valid_from_position,
        valid_to_position, is_current, opened_by, closed_by, moved_from_row_key, moved_to_row_key, change_count, change_id
    from {cdc}.cdc_row_versions order by source, table_name, row_key, version_number
"""
CURRENT_ROWS = """
    select source, table_name, row_key, `row`, is_deleted, is_partial, operation, position, committed_at, change_id,
        first_seen_at, deleted_at, version_count
    from {cdc}.cdc_current_rows order by source, table_name, row_key
"""
CHANGELOG = """
    select change_id, source, table_name, operation, row_key, row_key_before, before, after, after_image, before_image,
        epoch, position, committed_at, snapshot_at, transaction_id, topic, `partition`, `offset`, event_index
    from {cdc}.cdc_changelog order by change_id
"""
# What the event store keeps of the life of tables and columns, which is not public.
TABLE_LIFE = """
    select changes.change_id, to_json(events.row_columns), to_json(events.ended_columns), events.ends_table,
        events.table_identity
    from {cdc}.cdc_changelog as changes
    inner join {work}.int_events as events using (change_id)
    where
        events.status = 'change'
        and (load_number, event_number) not in (select inline(replaces) from {work}.int_events)
"""
HEALTH = """
    select source, table_name, messages, events, changes, duplicates, control, ignored, rejected, pending
    from {cdc}.cdc_health order by source, table_name
"""
HISTORIES = int(os.environ.get("CDC_TEST_HISTORIES", "80"))
FIRST_SEED = int(os.environ.get("CDC_TEST_SEED", "1"))
QUICK_SEEDS = range(FIRST_SEED, FIRST_SEED + HISTORIES)
# Numbers of the landing batches that each run reads; they may be committed out of order and with gaps.
QUICK_BATCHES = ((20, 22), (30,), (10, 21))
# What a run stands on.
STATE = (
    "{raw}.acme",
    "{work}.cdc_tables",
    "{work}.cdc_epochs",
    "{work}.cdc_excluded_events",
    "{work}.run_configuration",
    "{work}.int_events",
    "{work}.int_row_versions",
)
SEEDS = STATE[1:4]  # the same at all moments, and on Delta no transactional tables
LANDED_STATE = STATE[:4]

State = dict[str, str]  # table (with its schema's stand-in) to what to select it from


def _literal(value: str | int | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, int):
        return str(value)
    return sql_literal(value)


def land_together(
    project: DbtProject, bodies: Iterable[tuple[Any, ...]], landing_batch: int | None = None
) -> None:
    """Land messages of many sources quickly, one statement for all.

    Each is body and source, and perhaps topic, partition and offset.
    """
    rows = ",".join(
        f"({','.join(_literal(value) for value in (*body, None, None, None)[:5])})"
        for body in bodies
    )
    batch = landing_batch
    if batch is None:
        batch = project.query("select coalesce(max(landing_batch), 0) + 1 from {raw}.acme")[0][0]
    project.query(
        "insert into {raw}.acme (value, source, topic, `partition`, `offset`, landing_batch) "
        "select value, source, cast(topic as string), cast(`partition` as int), cast(`offset` as bigint), "
        f"{batch} from values {rows} as landed (value, source, topic, `partition`, `offset`)"
    )


def content_version(project: DbtProject, table: str) -> Any:
    """What changes whenever a table is written to, whatever its format."""
    if project.server.table_format == "delta":
        return project.query(f"describe history {table} limit 1")[0][0]
    return project.query(f"select max(committed_at) from {table}.snapshots")


# ------------------------------------------------------------------------------------ the oracle


def _row(text: str | None) -> Any:
    return None if text is None else comparable(json.loads(text))


def _changes(project: DbtProject) -> list[dict[str, Any]]:
    listed = CHANGELOG.split("select")[1].split("from")[0].split(",")
    names = [name.strip(" \n`") for name in listed]
    life = {
        change_id: {
            "row_columns": row_columns and json.loads(row_columns),
            "ended_columns": ended_columns and json.loads(ended_columns),
            "ends_table": ends_table,
            "table_identity": table_identity,
        }
        for change_id, row_columns, ended_columns, ends_table, table_identity in project.query(
            TABLE_LIFE
        )
    }
    return [
        {"vendor": "acme", "database_name": None, "schema_name": "public"}
        | dict(zip(names, row, strict=True))
        | life[row[0]]
        for row in project.query(CHANGELOG)
    ]


def differences_from_oracle(
    project: DbtProject,
    is_wanted: Callable[[str], bool] = lambda source: True,
    visible: Callable[[list[dict[str, Any]]], list[dict[str, Any]]] = lambda changes: changes,
) -> list[str]:
    """What the marts hold and the oracle does not expect, and the other way round, for some sources.

    visible: the changes, of all that are logged, that the marts are made of.
    """
    changes = visible([change for change in _changes(project) if is_wanted(change["source"])])
    current_rows, versions = expected_marts(changes)
    expected_versions = {
        (
            version.table[1], version.table[4], version.row_key, version.version_number,
            comparable(version.row), version.valid_from, version.valid_to, version.valid_from_position,
            version.valid_to_position, version.is_current, version.opened_by, version.closed_by,
            version.moved_from_row_key, version.moved_to_row_key, version.change_count, version.change_id,
        )
        for version in versions
    }  # fmt: skip
    found_versions = {
        (*row[:4], _row(row[4]), *row[5:]) for row in project.query(VERSIONS) if is_wanted(row[0])
    }
    expected_rows = {
        (
            row.table[1], row.table[4], row.row_key, None if row.row is None else comparable(row.row),
            row.is_deleted, row.is_partial, row.operation, row.position, row.committed_at, row.change_id,
            row.first_seen_at, row.deleted_at, row.version_count,
        )
        for row in current_rows
    }  # fmt: skip
    found_rows = {
        (*row[:3], _row(row[3]), *row[4:])
        for row in project.query(CURRENT_ROWS)
        if is_wanted(row[0])
    }
    return [
        *differences("version", expected_versions, found_versions),
        *differences("current row", expected_rows, found_rows),
    ]


def differences(what: str, expected: set[Any], found: set[Any]) -> list[str]:
    """What is expected and missing, and what is there and unexpected, one line each."""
    missing = sorted(expected - found, key=str)
    unexpected = sorted(found - expected, key=str)
    return [f"{what} missing    {row}" for row in missing] + [
        f"{what} unexpected {row}" for row in unexpected
    ]


# ------------------------------------------------------------------------------- the quick proof


def exclude_events(folder: Path, lines: Iterable[str]) -> None:
    """Write the lines of cdc_excluded_events, behind the names of its columns."""
    path = folder / "seeds" / "config" / "cdc_excluded_events.csv"
    path.write_text("\n".join([path.read_text().splitlines()[0], *lines]) + "\n")


def quick_excluded_lines() -> list[str]:
    """The lines of cdc_excluded_events of the quick proof."""
    return [
        *CONFIGURED_EXCLUSIONS,
        *(line for seed in QUICK_SEEDS for line in excluded_lines(seed)),
    ]


def quick_project_folder(folder: Path, *vendors: str) -> Path:
    """A copy of the project with the made-up vendor and, of the real ones, only the folders named."""
    copy_project(folder, SIXTH_VENDOR)
    keep_vendors(folder, "acme", *vendors)
    for file, lines in (
        ("cdc_tables.csv", CONFIGURED_TABLES),
        ("cdc_epochs.csv", CONFIGURED_EPOCHS),
    ):
        path = folder / "seeds" / "config" / file
        path.write_text(path.read_text().rstrip("\n") + "\n" + "\n".join(lines) + "\n")
    exclude_events(folder, quick_excluded_lines())
    return folder


def _second(time: datetime | None) -> float | None:
    return None if time is None else (time - START.replace(tzinfo=time.tzinfo)).total_seconds()


def _key(row_key: str) -> str:
    return "/".join(json.loads(row_key))


@dataclass
class QuickProof:
    """A project in which the quick proof's messages were landed and built in three runs."""

    project: DbtProject
    before_last_run: State = field(default_factory=dict)
    finished: State = field(default_factory=dict)
    # Keys of the rows that the last of the three runs built again, by source.
    affected_rows: dict[str, set[str]] = field(default_factory=dict)

    def build(self) -> None:
        """Land and run, three times."""
        self.project.dbt("seed")
        batches = quick_batches()
        for numbers in QUICK_BATCHES:
            for number in numbers:
                land_together(self.project, batches[number], number)
            if numbers == QUICK_BATCHES[-1]:
                self.before_last_run = self._state("before_last_run")
            if numbers == QUICK_BATCHES[1]:
                self.project.dbt("run", *NEW_MESSAGES_ALONE)
            else:
                # A whole run, one statement at a time: the log of the last one says when to kill one like it.
                self.project.dbt("run", "--threads", "1")
        self.finished = self._state("finished")
        for source, row_key in self.project.query(
            "select distinct source, row_key from {work}.int_events as events"
            " left semi join {work}.int_affected_rows as affected on events.row_id = affected.row_id"
            " where row_key is not null"
        ):
            self.affected_rows.setdefault(source, set()).add(row_key)

    def _state(self, moment: str) -> State:
        if self.project.server.table_format == "delta":
            versions = {
                table: f"{self.project.named(table)} version as of {content_version(self.project, table)}"
                for table in STATE
                if table not in SEEDS
            }
            return versions | {table: self.project.named(table) for table in SEEDS}
        self.project.query(f"create schema {{work}}_{moment}")
        state = {
            table: self.project.named(f"{{work}}_{moment}.{table.split('.')[1]}") for table in STATE
        }
        for table, kept in state.items():
            self.project.query(f"create table {kept} as select * from {table}")
        return state

    def drop(self) -> None:
        """Leave nothing behind."""
        self.project.drop_schemas()
        for moment in ("before_last_run", "finished"):
            self.project.drop_schema(f"{self.project.work_schema}_{moment}")

    def copy_state(self, state: State, tables: Iterable[str], target: DbtProject) -> None:
        """Give another project, which has nothing yet, tables as they were at a moment of this one."""
        target.drop_schemas()
        for schema in ("{raw}", "{cdc}", "{work}"):
            target.query(f"create schema {schema}")
        has_versions = self.project.server.table_format == "delta"
        for table in tables:
            how = "shallow clone" if has_versions and table not in SEEDS else "as select * from"
            target.query(f"create table {table} {how} {state[table]}")

    @cached_property
    def versions(self) -> dict[str, list[ExpectedVersion]]:
        """The versions of each source, in the form of the expectations."""
        found: dict[str, list[ExpectedVersion]] = {}
        for source, row_key, row, since, until, closed_by, start, end in self.project.query(
            "select source, row_key, `row`, valid_from_position, valid_to_position, closed_by, valid_from, valid_to"
            " from {cdc}.cdc_row_versions order by source, row_key, version_number"
        ):
            found.setdefault(source, []).append(
                ExpectedVersion(
                    _key(row_key), json.loads(row), since, until, closed_by, _second(start), _second(end)
                )
            )  # fmt: skip
        return found

    @cached_property
    def rows(self) -> dict[str, list[ExpectedRow]]:
        """The current rows of each source, in the form of the expectations."""
        found: dict[str, list[ExpectedRow]] = {}
        for source, row_key, row, is_deleted in self.project.query(
            "select source, row_key, `row`, is_deleted from {cdc}.cdc_current_rows order by source, row_key"
        ):
            found.setdefault(source, []).append(
                ExpectedRow(_key(row_key), json.loads(row), is_deleted)
            )
        return found

    @cached_property
    def changes(self) -> dict[str, int]:
        """How many changes of each source the changelog holds."""
        return dict(
            self.project.query("select source, count(*) from {cdc}.cdc_changelog group by source")
        )

    def holds(self, case: Case) -> bool:
        """Return whether everything that was expected of a case came out."""
        return (
            self.versions.get(case.name, []) == list(case.versions)
            and self.rows.get(case.name, []) == list(case.rows)
            and self.changes.get(case.name, 0) == distinct_changes(case)
        )

    def failures(self) -> list[str]:
        """Names of the cases that do not hold, then `oracle` if random histories differ."""
        failed = [case.name for case in CASES if not self.holds(case)]
        if self.differences_from_oracle():
            failed.append("oracle")
        return failed

    def differences_from_oracle(self) -> list[str]:
        """Differences of the random histories alone: the oracle knows no configuration."""
        return differences_from_oracle(
            self.project, lambda source: re.fullmatch(r"h\d+", source) is not None
        )


def quick_batches() -> dict[int, list[tuple[Any, ...]]]:
    """The landing batches of the quick proof by number: body, source, topic, partition, offset.

    A run of a case is the first batch of the proof's run; a history lies in one to five batches.
    """
    batches: dict[int, list[tuple[Any, ...]]] = {
        number: [] for numbers in QUICK_BATCHES for number in numbers
    }
    for case in CASES:
        for (number, *_), run in zip(QUICK_BATCHES, case.runs, strict=False):
            for body, offset in map(without_offset, run):
                place = (None, None, None) if offset is None else ("things", 0, offset)
                batches[number].append((json.dumps(body), case.name, *place))
    for seed in QUICK_SEEDS:
        numbers = random.Random(seed).sample(list(batches), 1 + seed % len(batches))
        carried = delivered(seed, random_history(seed), len(numbers))
        for number, deliveries in zip(numbers, carried, strict=True):
            batches[number].extend(
                (item.body, f"h{seed}", item.topic, item.partition, item.offset)
                for item in deliveries
            )
    return batches


def distinct_changes(case: Case) -> int:
    """How many different changes a case delivers and logs; place and time are no part of what one is."""
    bodies = (without_offset(body)[0] for run in case.runs for body in run)
    return (
        len(
            {
                json.dumps({**message, "position": None, "committed_at": None}, sort_keys=True)
                for body in bodies
                for message in (body if isinstance(body, list) else [body])
            }
        )
        - case.excluded
    )

"""Shows that the tests notice: each mutation breaks the SQL in one way, and a named proof must fail.

    python -m tests.mutations             # all of them
    python -m tests.mutations dedup       # by name

The proof is the quick one (tests/python/helpers/quick_proof.py): cases with hand-written expectations,
and random histories beside an oracle. A mutant does not build it all again: it starts from the unbroken
project's tables as they were before the last of the three runs, or from its events with no marts,
and makes one run. A text that is no longer found is an error, and so is a mutant whose SQL does not run.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from cdc_changelog.config import ServerConfig, config_from_environment
from cdc_changelog.server.background import running_server
from tests.python.helpers.dbt_project import DbtError, DbtProject
from tests.python.helpers.quick_proof import (
    STATE,
    QuickProof,
    quick_project_folder,
)

LAST_RUN = "the last run"
MARTS = "the marts, from the events"
# What the marts are built with, apart from the event store.
MARTS_MODELS = (
    "run_landing_batches run_configuration_changes run_configuration_contradictions run_configuration"
    " run_table_settings int_excluded_events cdc_changelog"
    " int_affected_rows int_row_versions cdc_current_rows cdc_row_versions"
)


class MutationError(Exception):
    """A mutation that shows nothing: it cannot be made, or the mutant does not run."""


@dataclass(frozen=True)
class Edit:
    """A text that stands exactly once in a file of the project, and what to put in its place.

    Blanks and line breaks do not matter: another layout of the SQL leaves mutations as they are.
    """

    file: str
    text: str
    replacement: str


@dataclass(frozen=True)
class Mutation:
    """One way to break the SQL, and the proof that must notice.

    caught_by: a case, or the dbt unit test of `vendor`; run: what is made with the broken SQL.
    """

    name: str
    breaks: str
    edits: tuple[Edit, ...]
    caught_by: str
    run: str = MARTS
    vendor: str | None = None


EVENTS = "models/intermediate/events/"
ROWS = "models/intermediate/rows/"
DECISIONS = EVENTS + "int_event_decisions.sql"
AFFECTED_ROWS = ROWS + "int_affected_rows.sql"
TABLE_EVENTS = ROWS + "int_table_events.sql"
ROW_EVENTS = ROWS + "int_row_events.sql"
ROW_STATES = ROWS + "int_row_states.sql"
ROW_INTERVALS = ROWS + "int_row_intervals.sql"
ROW_VERSIONS = ROWS + "int_row_versions.sql"
CHANGED_EVENTS = ROWS + "int_changed_events.sql"
AFFECTED_TABLES = ROWS + "int_affected_tables.sql"

MUTATIONS = (
    Mutation(
        "order_of_change_ids",
        "changes count in the order of their ids, not by position",
        (
            Edit(
                ROW_EVENTS,
                "epoch, effective_at, has_position,",
                "epoch, change_id, effective_at, has_position,",
            ),
            Edit(
                ROW_EVENTS,
                "epoch, order_position,",
                "epoch, change_id, order_position,",
            ),
        ),
        caught_by="lifecycle",
    ),
    Mutation(
        "dedup",
        "a change that is delivered again is stored again as a change",
        (
            Edit(
                DECISIONS,
                "when is_further_delivery then 'duplicate'\n"
                "            when status = 'change' and not is_unchanged and stored_change is not null"
                " and not is_better_delivery\n"
                "                then 'duplicate'",
                "when false then 'duplicate'",
            ),
        ),
        caught_by="exact_duplicates",
        run=LAST_RUN,
    ),
    Mutation(
        "better_delivery_ignored",
        "of several deliveries of one change the first counts, not the least",
        (
            Edit(
                DECISIONS,
                "struct(deciding.delivery_rank, deciding.deciding_place.transport_order)\n",
                "stored_change is null and struct(deciding.delivery_rank, deciding.deciding_place.transport_order)\n",
            ),
        ),
        caught_by="smaller_counter_comes_later",
        run=LAST_RUN,
    ),
    Mutation(
        "only_named_rows",
        "a run builds only the rows that its changes name, not those connected to them",
        (
            Edit(
                AFFECTED_ROWS,
                "left join rows_of_groups as groups on affected_groups.row_group = groups.row_group",
                "left join (select rows_of_groups.* from rows_of_groups left semi join affected"
                " on rows_of_groups.row_id = affected.row_id) as groups"
                " on affected_groups.row_group = groups.row_group",
            ),
        ),
        caught_by="chain_of_moves",
        run=LAST_RUN,
    ),
    Mutation(
        "qlik_mask_byte_order",
        "the masks of Qlik are read from the other end",
        (
            Edit(
                "models/staging/qlik/stg_qlik__masks.sql",
                "cdc_choice('cdc_qlik_mask_byte_order', ['big', 'little'])",
                "cdc_choice('cdc_qlik_mask_byte_order', ['little', 'big'])",
            ),
        ),
        caught_by="qlik_masks_are_decoded_once_each_as_big_endian_integers",
        vendor="qlik",
    ),
    Mutation(
        "one_identity_one_change",
        "what a change holds is no part of its identity",
        (
            Edit(
                EVENTS + "int_new_events.sql",
                "vendor_identity, content ), 256)",
                "vendor_identity), 256)",
            ),
        ),
        caught_by="conflicting",
        run=LAST_RUN,
    ),
    Mutation(
        "truncate_affects_no_rows",
        "a truncate does not affect the rows of its table",
        (
            Edit(
                AFFECTED_TABLES,
                "changed_events.operation = 'truncate'",
                "changed_events.operation = 'nothing'",
            ),
        ),
        caught_by="late_truncate",
        run=LAST_RUN,
    ),
    Mutation(
        "reset_affects_no_rows",
        "the first event of a reloaded table does not affect its rows",
        (
            Edit(
                AFFECTED_TABLES,
                "or (table_events.kind = 'reset' and",
                "or (false and",
            ),
        ),
        caught_by="reloaded_late",
        run=LAST_RUN,
    ),
    Mutation(
        "watermark_by_landing_batch",
        "row versions follow the numbers of landing batches instead of loads",
        (
            Edit(
                CHANGED_EVENTS,
                "where load_number > {{ plan.built_to }}",
                "where landing_batch > (select max(earlier.landing_batch) from {{ ref('int_events') }} as earlier where earlier.load_number <= {{ plan.built_to }})",
            ),
        ),
        caught_by="ignored_columns",
        run=LAST_RUN,
    ),
    Mutation(
        "batches_by_maximum",
        "a landing batch with a lower number than one that was read is never read",
        (
            Edit(
                "models/run/run_landing_batches.sql",
                "where read_by is null",
                "where read_by is null and (vendor is null or landing_batch > (select coalesce(max(earlier.landing_batch), -9000000) from batches as earlier where earlier.read_by is not null and earlier.vendor = numbered.vendor))",
            ),
        ),
        caught_by="ignored_columns",
        run=LAST_RUN,
    ),
    Mutation(
        "stored_versions_stay",
        "versions that are no more stay",
        (
            Edit(
                ROW_VERSIONS,
                "from different",
                # No plain condition: Spark would make a left join of the outer join.
                "from different where if(is_void, rand() > 2, true)",
            ),
        ),
        caught_by="delete_before_insert",
        run=LAST_RUN,
    ),
    Mutation(
        "inclusive_intervals",
        "a version is valid up to the last moment before the next instead of to its begin",
        (
            Edit(
                ROW_INTERVALS,
                "    next.version_at as valid_to,",
                "    next.version_at - interval 1 microsecond as valid_to,",
            ),
        ),
        caught_by="lifecycle",
    ),
    Mutation(
        "partial_as_full",
        "a partial image is the whole row: what it lacks is lost",
        (
            Edit(
                ROW_STATES,
                "event.after_image as image_kind",
                "if(event.after_image = 'partial', 'full', event.after_image) as image_kind",
            ),
        ),
        caught_by="partial_images",
    ),
    Mutation(
        "full_as_partial",
        "a full image keeps the columns it lacks",
        (
            Edit(
                ROW_STATES,
                "event.after_image as image_kind",
                "'partial' as image_kind",
            ),
            Edit(
                ROW_STATES,
                "and after_image <> 'full')",
                "and after_image <> 'none')",
            ),
        ),
        caught_by="dropped_column",
    ),
    Mutation(
        "unseen_rows_forgotten",
        "a delete of a row that nobody has seen leaves nothing",
        (
            Edit(
                ROW_INTERVALS,
                "or (next is null and version_count = 0)",
                "or (next is null and version_count < 0)",
            ),
        ),
        caught_by="delete_alone",
    ),
    Mutation(
        "truncates_ignored",
        "truncates end nothing",
        (
            Edit(
                TABLE_EVENTS,
                "when operation = 'truncate' then 'truncate'",
                "when false then 'truncate'",
            ),
        ),
        caught_by="truncate_last",
    ),
    Mutation(
        "resets_ignored",
        "the first events of a reloaded table end nothing",
        (
            Edit(
                TABLE_EVENTS,
                "and candidate.resets_table",
                "and not candidate.resets_table",
            ),
        ),
        caught_by="reloaded",
    ),
    Mutation(
        "no_epoch",
        "positions of different epochs are compared",
        (
            Edit(
                ROW_EVENTS,
                "epoch, effective_at, has_position, order_position, unpositioned_at,",
                "has_position, order_position, unpositioned_at, epoch,",
            ),
            Edit(
                ROW_EVENTS,
                "epoch, order_position,",
                "order_position, epoch,",
            ),
        ),
        caught_by="restored",
    ),
    Mutation(
        "old_key_stays",
        "a key change does not end the row under its old key",
        (
            Edit(
                ROW_EVENTS,
                "array('out', 'in')",
                "array('in')",
            ),
        ),
        caught_by="all_keys_forwards",
    ),
    Mutation(
        "neighbours_not_folded",
        "every change opens a version, also one that changes nothing",
        (
            Edit(
                ROW_INTERVALS,
                "or not {{ cdc_same_row('row_without_ignored_columns', 'previous.row_without_ignored_columns') }}",
                "or true",
            ),
        ),
        caught_by="same_again",
    ),
    Mutation(
        "ignored_columns_tracked",
        "columns that should open no version open one",
        (
            Edit(
                ROWS + "int_row_intervals.sql",
                "size(ignored_columns) > 0",
                "size(ignored_columns) < 0",
            ),
        ),
        caught_by="ignored_columns",
    ),
    Mutation(
        "snapshots_first",
        "a snapshot row without a position comes before everything",
        (
            Edit(
                ROW_EVENTS,
                "then snapshot_at\n",
                "then null\n",
            ),
        ),
        caught_by="snapshot_last",
    ),
    Mutation(
        "snapshots_last",
        "a snapshot row without a position comes after everything",
        (
            Edit(
                ROW_EVENTS,
                "then snapshot_at\n",
                "then timestamp '2999-01-01'\n",
            ),
        ),
        caught_by="snapshot_between",
    ),
    Mutation(
        "ties_by_change_id",
        "changes that share a position lie in the order of their ids",
        (
            Edit(
                ROW_EVENTS,
                "transport_order, operation_rank, change_id,",
                "change_id, transport_order, operation_rank,",
            ),
        ),
        caught_by="tie_split_over_runs",
    ),
    Mutation(
        "ties_by_operation",
        "of changes that share a position deletes come last",
        (
            Edit(
                ROW_EVENTS,
                "transport_order, operation_rank,",
                "operation_rank, transport_order,",
            ),
        ),
        caught_by="deleted_and_inserted_at_one_position",
    ),
    Mutation(
        "first_place_stays",
        "a change stays at the place of the delivery that landed first",
        (
            Edit(
                DECISIONS,
                "or least_place.transport_order < stored_change.transport_order",
                "or false",
            ),
        ),
        caught_by="least_place_and_least_counter",
        run=LAST_RUN,
    ),
    Mutation(
        "columns_of_the_place",
        "a delivery at a lesser place gives its columns, whatever the counters of the stored one are",
        (
            Edit(
                EVENTS + "int_events.sql",
                "stored.`{{ column }}`",
                "decided.`{{ column }}`",
            ),
        ),
        caught_by="least_place_and_least_counter",
        run=LAST_RUN,
    ),
    Mutation(
        "no_change_moves",
        "a run does not see that a stored change moves to a lesser place and keeps its columns",
        (
            Edit(
                "macros/plan/cdc_duplicates_plan.sql",
                "(select is_moved from known_changes) as takes_stored_columns",
                "false as takes_stored_columns",
            ),
        ),
        caught_by="least_place_and_least_counter",
        run=LAST_RUN,
    ),
    Mutation(
        "dropped_columns_inherited",
        "a partial image inherits columns that the table has no more",
        (
            Edit(
                ROW_STATES,
                "event.row_columns as row_columns",
                "cast(null as array<string>) as row_columns",
            ),
        ),
        caught_by="partial_image_names_its_columns",
    ),
    Mutation(
        "ddl_ends_no_column",
        "a column that a DDL event drops is inherited",
        (
            Edit(
                ROW_STATES,
                "event.ended_columns as ended_columns",
                "cast(null as array<string>) as ended_columns",
            ),
        ),
        caught_by="column_dropped_by_ddl",
    ),
    Mutation(
        "drops_ignored",
        "the end of a table ends no row",
        (
            Edit(
                TABLE_EVENTS,
                "when ends_table or identity_before <> table_identity then 'drop'",
                "when identity_before <> table_identity then 'drop'",
            ),
        ),
        caught_by="table_dropped",
    ),
    Mutation(
        "takeovers_ignored",
        "a table that takes the name of another one ends no row",
        (
            Edit(
                TABLE_EVENTS,
                "when ends_table or identity_before <> table_identity then 'drop'",
                "when ends_table then 'drop'",
            ),
        ),
        caught_by="name_taken_over",
    ),
    Mutation(
        "end_of_a_table_affects_no_rows",
        "the end of a table does not affect its rows",
        (
            Edit(
                AFFECTED_TABLES,
                "or table_events.kind = 'drop'\n",
                "or false\n",
            ),
        ),
        caught_by="table_dropped",
        run=LAST_RUN,
    ),
    Mutation(
        "time_of_an_end_affects_no_rows",
        "a table's end that gets the time of its transaction stays without",
        (
            Edit(
                AFFECTED_TABLES,
                "    where table_events.kind = 'drop'",
                "    where table_events.kind = 'nothing'",
            ),
        ),
        caught_by="name_taken_over_at_the_time_of_its_transaction",
        run=LAST_RUN,
    ),
    Mutation(
        "lost_column_affects_no_rows",
        "a DDL event that drops a column does not affect the rows",
        (
            Edit(
                AFFECTED_TABLES,
                "or size(changed_events.ended_columns) > 0",
                "or false",
            ),
        ),
        caught_by="column_dropped_late",
        run=LAST_RUN,
    ),
    Mutation(
        "unsigned_deliveries_count",
        "a delivery without the signature that it must have is read",
        (
            Edit(
                "models/staging/savegress/stg_savegress__changes.sql",
                "when signature_reason is not null then signature_reason",
                "when signature_reason = 'BAD_SIGNATURE' then signature_reason",
            ),
        ),
        caught_by="savegress_delivery_without_the_signature_that_it_must_have_is_rejected",
        vendor="savegress",
    ),
    Mutation(
        "what_follows_a_batch_is_ignored",
        "what stands behind a batch of Sequin is ignored",
        (
            Edit(
                "models/staging/sequin/stg_sequin__events.sql",
                "endswith(body, ']') and size(json_object_keys(clean_text)) = 1, endswith(body, '}')",
                "true, true",
            ),
        ),
        caught_by="sequin_batch_that_is_cut_stays_whole",
        vendor="sequin",
    ),
    Mutation(
        "excluded_events_count",
        "what cdc_excluded_events names goes into the marts",
        (
            Edit(
                "macros/events/cdc_excluded_event_ids.sql",
                "as excluded (load_number, event_number)",
                "as excluded (load_number, event_number) where false",
            ),
        ),
        caught_by="excluded_delete",
    ),
    Mutation(
        "one_delivery_excluded",
        "of an excluded change only the delivery at the named place is taken out",
        (
            Edit(
                EVENTS + "int_excluded_events.sql",
                "inner join excluded_once as excluded on events.change_id = excluded.change_id",
                "inner join excluded_once as excluded on events.change_id = excluded.change_id"
                " where events.change_id in (select lines.change_id from lines) or"
                " (events.load_number, events.event_number) in (select places.load_number, places.event_number from events_at_places as places)",
            ),
        ),
        caught_by="excluded_by_a_later_delivery",
    ),
    Mutation(
        "exclusion_affects_no_rows",
        "rows are not built again where a new delivery excludes a change that they were built from",
        (
            Edit(
                CHANGED_EVENTS,
                "and change_id in (select new_events.change_id from new_events)",
                "and change_id in (select new_events.change_id from new_events where false)",
            ),
        ),
        caught_by="excluded_by_a_later_delivery",
        run=LAST_RUN,
    ),
)


def apply(mutation: Mutation, folder: Path) -> None:
    """Break a copy of the project.

    Raises MutationError if a text does not stand exactly once where it should.
    """
    for edit in mutation.edits:
        path = folder / edit.file
        text = path.read_text()
        found = re.findall(r"\s+".join(map(re.escape, edit.text.split())), text)
        if len(found) != 1:
            raise MutationError(
                f"{mutation.name}: {edit.text!r} stands {len(found)} times in {edit.file}, not once."
            )
        path.write_text(text.replace(found[0], edit.replacement))


def failures_of_unit_test(project: DbtProject, name: str) -> list[str]:
    """Return the name of a dbt unit test if it fails, else nothing."""
    try:
        results = project.dbt("test", "--select", name).results
        run = [result for result in results if result.node.name == name]
    except DbtError as error:
        if "differs from" not in str(error):
            raise
        return [name]
    if len(run) != 1:
        raise MutationError(f"{len(run)} unit tests are named {name}.")
    return []


def failures_of_mutant(proof: QuickProof, mutation: Mutation, folder: Path) -> list[str]:
    """Return the names of the proofs that fail on a mutant.

    Raises MutationError if it cannot be made, does not run, or its unit test fails unbroken too.
    """
    vendors = [mutation.vendor] if mutation.vendor else []
    project = DbtProject(quick_project_folder(folder, *vendors), proof.project.server, "cdc_mutant")
    try:
        if not mutation.vendor:
            apply(mutation, project.folder)
            return _failures_after_run(proof, mutation.run, project)
        project.drop_schemas()
        # In a folder of its own: what dbt read of a folder it may remember.
        unbroken = replace(project, folder=quick_project_folder(folder / "unbroken", *vendors))
        # A unit test that gives rows of a model asks for the columns of its view.
        unbroken.dbt("seed")
        unbroken.dbt("run", "--select", f"+stg_{mutation.vendor}__changes")
        if failures_of_unit_test(unbroken, mutation.caught_by):
            raise MutationError(f"{mutation.caught_by} fails on the unbroken project.")
        apply(mutation, project.folder)
        return failures_of_unit_test(project, mutation.caught_by)
    except DbtError as error:
        raise MutationError(f"{mutation.name} does not run:\n{error}") from error
    finally:
        project.drop_schemas()


def failures_of_unbroken(proof: QuickProof, run: str, folder: Path) -> list[str]:
    """Return the names of the proofs that fail where a mutant starts, but nothing is broken."""
    project = DbtProject(quick_project_folder(folder), proof.project.server, "cdc_mutant")
    try:
        return _failures_after_run(proof, run, project)
    finally:
        project.drop_schemas()


def _failures_after_run(proof: QuickProof, run: str, project: DbtProject) -> list[str]:
    if run == LAST_RUN:
        proof.copy_state(proof.before_last_run, STATE, project)
        marts = ("+cdc_changelog", "+cdc_current_rows", "+cdc_row_versions")
        project.dbt("run", "--select", *marts)
    else:
        proof.copy_state(proof.finished, STATE[:-1], project)
        project.dbt("run", "--select", MARTS_MODELS)
    return QuickProof(project).failures()


def _show(name: str, caught_by: str, others: Iterable[str], seconds: float) -> None:
    more = ", ".join(others)
    print(
        f"| `{name}` | {caught_by}{f' (and {more})' if more else ''} | {seconds:.0f} s |",
        flush=True,
    )


def _run(mutations: list[Mutation], config: ServerConfig, folder: Path) -> int:
    project = DbtProject(quick_project_folder(folder / "unbroken"), config, "cdc_unbroken")
    project.drop_schemas()
    proof = QuickProof(project)
    survivors = 0
    try:
        began = time.monotonic()
        proof.build()
        failures = proof.failures()
        for number, run in enumerate((LAST_RUN, MARTS)):
            failures += failures_of_unbroken(proof, run, folder / f"unbroken{number}")
        if failures:
            print(f"error: the unbroken project fails: {', '.join(failures)}", file=sys.stderr)
            return 1
        print(f"The unbroken project passes ({time.monotonic() - began:.0f} s).", flush=True)
        for mutation in mutations:
            began = time.monotonic()
            try:
                failures = failures_of_mutant(proof, mutation, folder / mutation.name)
            except MutationError as error:
                failures = []
                print(f"error: {error}", file=sys.stderr)
            is_caught = mutation.caught_by in failures
            survivors += not is_caught
            _show(
                mutation.name,
                mutation.caught_by if is_caught else "NOT CAUGHT",
                sorted(set(failures) - {mutation.caught_by}),
                time.monotonic() - began,
            )
    finally:
        project.drop_schemas()
    print(f"{len(mutations) - survivors} of {len(mutations)} mutants were caught.")
    return 1 if survivors else 0


def main() -> int:
    """Run `python -m tests.mutations [names…]`."""
    parser = argparse.ArgumentParser(prog="python -m tests.mutations", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name")
    names = parser.parse_args().names
    unknown = set(names) - {mutation.name for mutation in MUTATIONS}
    if unknown:
        parser.error(f"no mutation is named {', '.join(sorted(unknown))}")
    wanted = [mutation for mutation in MUTATIONS if not names or mutation.name in names]
    with (
        tempfile.TemporaryDirectory(prefix="cdc-mutations-") as folder,
        running_server(config_from_environment()) as config,
    ):
        return _run(wanted, config, Path(folder))


if __name__ == "__main__":
    sys.exit(main())

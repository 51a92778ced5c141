"""Shows that the tests notice: each mutation breaks the SQL in one way, and a named proof must fail.

    python -m tests.mutations             # all of them
    python -m tests.mutations dedup       # by name

The proof is the quick one (tests/python/integration/proofs.py): behaviours with expectations by hand,
and random histories beside an oracle. A mutant does not build it all again: it starts from the unbroken
project's tables as they were before the last of the three runs, or from its changelog with no marts,
and makes one run. A text that is no longer found is an error, and so is a mutant whose SQL does not run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from engine.background import running_server
from engine.config import EngineConfig, config_from_environment
from tests.python.dbt_project import DbtError, DbtProject
from tests.python.integration.proofs import (
    MARTS_STATE,
    STATE,
    QuickProof,
    quick_project_folder,
)

LAST_RUN = "the last run"
MARTS = "the marts, from the changelog"
# The models between the changelog and the marts.
MARTS_MODELS = (
    "cdc_run_batches cdc_epoch_settings cdc_table_settings cdc_connected_rows cdc_table_barriers"
    " cdc_run_touched_rows cdc_run_special_rows cdc_run_placements cdc_row_states"
    " cdc_current_rows cdc_row_versions"
)
QUICK_COUNT = 1  # of the mutants, how many go with every `make test`


class MutationError(Exception):
    """A mutation that shows nothing: it cannot be made, or the mutant does not run."""


@dataclass(frozen=True)
class Edit:
    """A text that stands exactly once in a file of the project, and what to put in its place."""

    file: str
    text: str
    replacement: str


@dataclass(frozen=True)
class Mutation:
    """One way to break the SQL, and the proof that must notice.

    caught_by: a behaviour, or the dbt unit test of `room`; run: what is made with the broken SQL.
    """

    name: str
    breaks: str
    edits: tuple[Edit, ...]
    caught_by: str
    run: str = MARTS
    room: str | None = None


ROW_STATES = "models/changelog/cdc_row_states.sql"
ROW_EVENTS = "macros/changelog/cdc_row_events.sql"
TOUCHED_ROWS = "models/changelog/cdc_run_touched_rows.sql"

MUTATIONS = (
    Mutation(
        "order_of_arrival",
        "changes count in the order in which they arrived, not by position",
        (
            Edit(
                ROW_EVENTS,
                "changes.operation,\n        changes.before as image_before",
                "changes.operation, changes.load_number,\n        changes.before as image_before",
            ),
            Edit(
                ROW_STATES,
                "total_order = 'order_epoch asc, order_position asc, ",
                "total_order = 'order_epoch asc, load_number asc, order_position asc, ",
            ),
        ),
        caught_by="late_between",
    ),
    Mutation(
        "dedup",
        "a change that is delivered again is logged again",
        (
            Edit(
                "models/changelog/cdc_changelog.sql",
                "where placing <> 'append'",
                "where placing = 'none'",
            ),
        ),
        caught_by="exact_duplicates",
        run=LAST_RUN,
    ),
    Mutation(
        "only_named_rows",
        "a run makes only the rows that its changes name, not those connected to them",
        (Edit(TOUCHED_ROWS, "{%- if not needs.connections %}", "{%- if true %}"),),
        caught_by="chain_of_moves",
        run=LAST_RUN,
    ),
    Mutation(
        "qlik_mask_byte_order",
        "the masks of Qlik are read from the other end",
        (
            Edit(
                "macros/vendors/qlik/qlik_mask_byte_order.sql",
                "var('cdc_qlik_mask_byte_order', 'big')",
                "var('cdc_qlik_mask_byte_order', 'little')",
            ),
        ),
        caught_by="qlik_masks_are_decoded_once_each_as_big_endian_integers",
        room="qlik",
    ),
    Mutation(
        "one_identity_one_change",
        "what a change holds is no part of its identity",
        (
            Edit(
                "models/changelog/cdc_run_elements.sql",
                "'vendor_identity', 'operation', 'content']",
                "'vendor_identity', 'operation']",
            ),
        ),
        caught_by="conflicting",
        run=LAST_RUN,
    ),
    Mutation(
        "truncate_touches_no_rows",
        "a truncate does not touch the rows of its table",
        (
            Edit(
                TOUCHED_ROWS,
                "new_changes.operation = 'truncate'",
                "new_changes.operation = 'nothing'",
            ),
        ),
        caught_by="late_truncate",
        run=LAST_RUN,
    ),
    Mutation(
        "truncates_stay_where_they_were",
        "a late change that moves on a truncate without a position touches its own row alone",
        (
            Edit(
                TOUCHED_ROWS,
                "and new_changes.position >= barrier.placed_at.order_position",
                "and false",
            ),
        ),
        caught_by="truncate_without_position",
        run=LAST_RUN,
    ),
    Mutation(
        "watermark_by_landing_batch",
        "the marts follow the numbers of landing batches instead of loads",
        (
            Edit(
                TOUCHED_ROWS,
                "changelog.load_number > (select watermark.load_number from watermark)",
                "changelog.landing_batch > (select max(earlier.landing_batch) from "
                "{{ ref('cdc_changelog') }} as earlier cross join watermark "
                "where earlier.load_number <= watermark.load_number)",
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
                "models/changelog/cdc_run_batches.sql",
                "array_except(collect_set(landed_batch), collect_set(finished_batch))",
                "filter(array_except(collect_set(landed_batch), collect_set(finished_batch)), "
                "landed -> landed > coalesce(array_max(collect_set(finished_batch)), 0))",
            ),
        ),
        caught_by="ignored_columns",
        run=LAST_RUN,
    ),
    Mutation(
        "merge_without_deletes",
        "the merge leaves records that do not stand any more",
        (
            Edit(
                "macros/adapter/materialization_cdc_table.sql",
                "when matched and applied.is_removed then delete",
                "when matched and applied.is_removed then update set version_number = target.version_number",
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
                ROW_STATES,
                "when next is not null then next.running_at\n",
                "when next is not null then next.running_at - interval 1 microsecond\n",
            ),
        ),
        caught_by="lifecycle",
    ),
    Mutation(
        "partial_as_full",
        "a partial image is the whole row: what it lacks is lost",
        (
            Edit(
                ROW_EVENTS,
                "coalesce(changes.after_image, 'none') as image_kind",
                "if(changes.after_image = 'partial', 'full', coalesce(changes.after_image, 'none')) as image_kind",
            ),
        ),
        caught_by="partial_images",
    ),
    Mutation(
        "absent_as_null",
        "a column that a partial image lacks is taken for null",
        (
            Edit(
                ROW_EVENTS,
                "changes.after as image,",
                "if(changes.after_image = 'partial' and not contains(changes.after, '\"w\"'),"
                " concat(substring(changes.after, 1, length(changes.after) - 1), ',\"w\":null}'), changes.after)"
                " as image,",
            ),
        ),
        caught_by="partial_images",
    ),
    Mutation(
        "full_as_partial",
        "a full image keeps the columns it lacks",
        (
            Edit(
                ROW_EVENTS,
                "coalesce(changes.after_image, 'none') as image_kind",
                "if(changes.after_image = 'full', 'partial', coalesce(changes.after_image, 'none')) as image_kind",
            ),
        ),
        caught_by="dropped_column",
    ),
    Mutation(
        "tombstones_forgotten",
        "a delete counts only if its row had arrived before it",
        (
            Edit(
                ROW_EVENTS,
                "where changes.row_id{{ '_before' if half == 'out' }} is not null",
                "where changes.row_id{{ '_before' if half == 'out' }} is not null and not (changes.operation = 'delete' "
                "and not exists (select 1 from {{ ref('cdc_changelog') }} as earlier where earlier.row_id = changes.row_id "
                "and earlier.load_number <= changes.load_number and earlier.operation <> 'delete'))",
            ),
        ),
        caught_by="delete_before_insert",
    ),
    Mutation(
        "unseen_rows_forgotten",
        "a delete of a row that nobody has seen leaves nothing",
        (
            Edit(
                ROW_STATES,
                "(next is null and version_count = 0)",
                "(next is null and version_count < 0)",
            ),
        ),
        caught_by="delete_alone",
    ),
    Mutation(
        "truncates_ignored",
        "truncates end nothing",
        (
            Edit(
                "models/changelog/cdc_table_barriers.sql",
                "    where operation = 'truncate'",
                "    where operation = 'nothing'",
            ),
        ),
        caught_by="truncate_last",
    ),
    Mutation(
        "resets_ignored",
        "the first events of a reloaded table end nothing",
        (
            Edit(
                "macros/changelog/cdc_epoch.sql",
                "candidate -> candidate.resets_table",
                "candidate -> not candidate.resets_table",
            ),
        ),
        caught_by="reloaded",
    ),
    Mutation(
        "no_epoch",
        "positions of different epochs are compared",
        (Edit(ROW_STATES, "total_order = 'order_epoch asc, ", "total_order = '"),),
        caught_by="restored",
    ),
    Mutation(
        "old_key_stays",
        "a key change does not end the row under its old key",
        (Edit(ROW_EVENTS, "(['in', 'out'] if with_moves else ['in'])", "['in']"),),
        caught_by="all_keys_forwards",
    ),
    Mutation(
        "neighbours_not_folded",
        "every change opens a version, also one that changes nothing",
        (Edit(ROW_STATES, "or not {{ cdc_same_row('tracked', 'previous_tracked') }}", "or true"),),
        caught_by="same_again",
    ),
    Mutation(
        "ignored_columns_tracked",
        "columns that should open no version open one",
        (
            Edit(
                ROW_STATES,
                "coalesce(tracked_columns, state) as tracked,",
                "state as tracked,",
            ),
        ),
        caught_by="ignored_columns",
    ),
    Mutation(
        "snapshots_first",
        "a snapshot row without a position comes before everything",
        (
            Edit(
                ROW_STATES,
                "coalesce(events.position, placements.order_position, '') as order_position",
                "coalesce(events.position, '') as order_position",
            ),
        ),
        caught_by="snapshot_last",
    ),
    Mutation(
        "snapshots_last",
        "a snapshot row without a position comes after everything",
        (
            Edit(
                ROW_STATES,
                "coalesce(events.position, placements.order_position, '') as order_position",
                "coalesce(events.position, '~') as order_position",
            ),
        ),
        caught_by="snapshot_between",
    ),
)


def apply(mutation: Mutation, folder: Path) -> None:
    """Break a copy of the project.

    Raises MutationError if a text does not stand exactly once where it should.
    """
    for edit in mutation.edits:
        path = folder / edit.file
        text = path.read_text()
        found = text.count(edit.text)
        if found != 1:
            raise MutationError(
                f"{mutation.name}: {edit.text!r} stands {found} times in {edit.file}, not once."
            )
        path.write_text(text.replace(edit.text, edit.replacement))


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
    rooms = [mutation.room] if mutation.room else []
    project = DbtProject(quick_project_folder(folder, *rooms), proof.project.server, "cdc_mutant")
    try:
        if not mutation.room:
            apply(mutation, project.folder)
            return _failures_after_run(proof, mutation.run, project)
        project.drop_schemas()
        # In a folder of its own: what dbt read of a folder it may remember.
        unbroken = replace(project, folder=quick_project_folder(folder / "unbroken", *rooms))
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
        project.dbt("run")
    else:
        proof.copy_state(proof.finished, MARTS_STATE, project)
        project.dbt("run", "--select", MARTS_MODELS)
    return QuickProof(project).failures()


def _show(name: str, caught_by: str, others: Iterable[str], seconds: float) -> None:
    more = ", ".join(others)
    print(
        f"| `{name}` | {caught_by}{f' (and {more})' if more else ''} | {seconds:.0f} s |",
        flush=True,
    )


def _run(mutations: list[Mutation], config: EngineConfig, folder: Path) -> int:
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

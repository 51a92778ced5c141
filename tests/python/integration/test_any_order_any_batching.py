"""S1: the marts are a pure function of the set of changes.

The quick proof was landed and built in three runs. Here the same messages are landed in another order
and built at once, and what came of the random histories is compared with an independent oracle.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from cdc_changelog.commands.build import PUBLIC_VIEWS, unread_vendors
from tests.python.helpers.dbt_project import NEW_MESSAGES_ALONE, DbtProject
from tests.python.helpers.histories import (
    change_of,
    least_places,
    random_history,
    remaining_history,
)
from tests.python.helpers.quick_proof import (
    CHANGELOG,
    CURRENT_ROWS,
    HEALTH,
    QUICK_BATCHES,
    QUICK_SEEDS,
    VERSIONS,
    QuickProof,
    exclude_events,
    land_together,
    quick_batches,
    quick_excluded_lines,
    quick_project_folder,
)
from tests.python.scenario.oracle import comparable

pytestmark = pytest.mark.server


@pytest.fixture(scope="module")
def built_at_once(
    quick_proof: QuickProof, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DbtProject]:
    """The messages of the quick proof in one build, and after it the lines that exclude events.

    Here the changes of every row that needs its past are folded one by one.
    """
    folder = quick_project_folder(tmp_path_factory.mktemp("cdc_once"))
    exclude_events(folder, [])
    one_by_one = {"cdc_largest_array_of_changes": 0}
    project = DbtProject(folder, quick_proof.project.server, "cdc_once", one_by_one)
    project.drop_schemas()
    project.dbt("seed")
    for number, batch in enumerate(reversed(list(quick_batches().values())), start=1):
        land_together(project, batch[::-1], number)
    project.dbt("run")
    exclude_events(folder, quick_excluded_lines())
    project.dbt("seed", "--select", "cdc_excluded_events")
    project.dbt("run", "--exclude", PUBLIC_VIEWS)
    yield project
    project.drop_schemas()


@pytest.mark.parametrize(
    "mart", [CHANGELOG, CURRENT_ROWS, VERSIONS], ids=["log", "current", "versions"]
)
def test_three_runs_equal_one_build_of_everything(
    quick_proof: QuickProof, built_at_once: DbtProject, mart: str
) -> None:
    assert quick_proof.project.query(mart) == built_at_once.query(mart)


def test_marts_equal_an_independent_oracle(quick_proof: QuickProof) -> None:
    differences = quick_proof.differences_from_oracle()
    assert differences == [], f"seeds {QUICK_SEEDS}: {len(differences)} differences\n" + "\n".join(
        differences[:16]
    )


def _content(change: dict[str, Any]) -> tuple[Any, ...]:
    """What a change says, in a form that can be counted; an image's columns in any order."""
    images = {
        side: change[side] and comparable(json.loads(change[side])) for side in ("before", "after")
    }
    return tuple(sorted((change | images).items()))


def test_every_message_of_a_random_history_is_logged_once_as_it_was_sent(
    quick_proof: QuickProof,
) -> None:
    names = list(change_of(random_history(1)[0]))
    logged: dict[str, Counter[tuple[Any, ...]]] = {}
    for source, *values in quick_proof.project.query(
        f"select source, `{'`, `'.join(names)}` from {{cdc}}.cdc_changelog"
    ):
        change = _content(dict(zip(names, values, strict=True)))
        logged.setdefault(source, Counter())[change] += 1
    for seed in QUICK_SEEDS:
        sent = Counter(_content(change_of(message)) for message in remaining_history(seed))
        assert logged.get(f"h{seed}", Counter()) == sent, f"seed {seed}"


def test_a_change_lies_at_the_least_place_of_all_its_deliveries(quick_proof: QuickProof) -> None:
    found: dict[str, dict[str, tuple[Any, ...]]] = {}
    for source, message_id, *place in quick_proof.project.query(
        "select source, message_id, topic, `partition`, `offset`, event_index from {cdc}.cdc_changelog"
    ):
        found.setdefault(source, {})[message_id] = tuple(place)
    for seed in QUICK_SEEDS:
        places = least_places(seed, random_history(seed))
        remaining = {message["id"]: places[message["id"]] for message in remaining_history(seed)}
        assert found.get(f"h{seed}", {}) == remaining, f"seed {seed}"


def _unread(project: DbtProject) -> list[str]:
    """What `make run` asks before it starts dbt."""
    raw = {"acme": f"{project.raw_schema}.acme"}
    return unread_vendors(project.connection(), raw, project.work_schema)


def test_a_batch_of_duplicates_alone_is_counted_and_changes_nothing(
    built_at_once: DbtProject,
) -> None:
    marts = (CHANGELOG, CURRENT_ROWS, VERSIONS)
    # What cdc_excluded_events takes out is rejected, each delivery.
    duplicates = "select sum(duplicates + rejected) from {cdc}.cdc_health"
    before, counted = [built_at_once.query(mart) for mart in marts], built_at_once.query(duplicates)
    batch = quick_batches()[QUICK_BATCHES[1][0]]
    assert _unread(built_at_once) == []
    land_together(built_at_once, batch)
    assert _unread(built_at_once) == ["acme"]
    built_at_once.dbt("run", *NEW_MESSAGES_ALONE)
    assert [built_at_once.query(mart) for mart in marts] == before
    bodies = [json.loads(body) for body, *_ in batch]
    events = sum(len(body) if isinstance(body, list) else 1 for body in bodies)
    assert built_at_once.query(duplicates)[0][0] - counted[0][0] == events


def test_a_full_refresh_needs_no_raw_messages_and_changes_nothing(
    built_at_once: DbtProject,
) -> None:
    public = (CHANGELOG, CURRENT_ROWS, VERSIONS, HEALTH)
    before = [built_at_once.query(query) for query in public]
    built_at_once.query("truncate table {raw}.acme")
    built_at_once.dbt("run", "--full-refresh", *NEW_MESSAGES_ALONE)
    assert [built_at_once.query(query) for query in public] == before


def test_a_run_with_nothing_new_changes_nothing(quick_proof: QuickProof) -> None:
    queries = (
        CHANGELOG, CURRENT_ROWS, VERSIONS, HEALTH,
        "select count(*) from {work}.int_events",
        "select max(load_number) from {work}.int_row_versions",
    )  # fmt: skip
    before = [quick_proof.project.query(query) for query in queries]
    quick_proof.project.dbt("run", "--exclude", PUBLIC_VIEWS)
    assert [quick_proof.project.query(query) for query in queries] == before

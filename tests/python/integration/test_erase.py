"""A person's values are taken out of everything that the package stores, and stay out."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.quick_proof import land_together
from tests.python.helpers.shell import Shell

pytestmark = [pytest.mark.server, pytest.mark.slow]

SECRET = "Ann Secret"


@dataclass
class Erased:
    """A project, and what its commands said."""

    project: DbtProject
    said: dict[str, str]

    @property
    def shell(self) -> Shell:
        """Where the commands are run."""
        profiles = {"DBT_PROFILES_DIR": str(self.project.folder / "profiles")}
        return Shell(self.project.folder, self.project.server, profiles)

    def run(self, name: str, *words: str) -> None:
        """Run a command of `cdc` in the project."""
        self.said[name] = self.shell.run("cdc", *words)

    def everywhere(self) -> list[str]:
        """The places in which the person's values still stand."""
        places = {
            "raw": "select concat_ws(' ', value, `key`, to_json(headers)) from {raw}.acme",
            "events": "select to_json(struct(*)) from {work}.int_events",
            "versions": "select to_json(struct(*)) from {work}.int_row_versions",
            "changelog": "select to_json(struct(*)) from {cdc}.cdc_changelog",
            "rejected": "select to_json(struct(*)) from {cdc}.cdc_rejected_messages",
        }
        return [
            name
            for name, sql in places.items()
            if any(SECRET in str(text) for (text,) in self.project.query(sql))
        ]

    def names(self) -> list[str]:
        """Names of the customers of both schemas that are left."""
        return [
            json.loads(row)["name"]
            for (row,) in self.project.query(
                "select `row` from {cdc}.cdc_current_rows order by schema_name, row_key"
            )
        ]


def land(project: DbtProject, *changes: tuple[int, str, str], schema: str = "public") -> None:
    """Land messages about customers, each at a position that is its offset too."""
    land_together(
        project,
        [
            (json.dumps(full(point, key, name=name) | {"schema": schema}), "shop", schema, 0, point)
            for point, key, name in changes
        ],
    )


@pytest.fixture(scope="module")
def erased(make_project: Callable[..., DbtProject]) -> Erased:
    project = make_project("cdc_erased", SIXTH_VENDOR, vendors=("acme",))
    project.write_variables()
    walk = Erased(project, {})
    project.dbt("seed")
    land(project, (10, "17", SECRET), (20, "18", "Bob"))
    land(project, (10, "17", "Cid"), schema="archive")
    walk.run("first", "run")
    land(project, (30, "17", f"{SECRET} again"))
    walk.run("second", "run")
    assert len(walk.everywhere()) == 4
    source, table, key = project.query(
        "select source, table_name, row_key from {cdc}.cdc_row_versions where `row` like '%again%'"
    )[0]
    row = f"{source}/{table}/{json.loads(key)[0]}"
    command = ("erase", row, "--reason", "request 4711", "--yes")
    with pytest.raises(AssertionError) as failed:
        walk.shell.run("cdc", *command)
    walk.said["of two schemas"] = str(failed.value)
    walk.run("erase", *command, "--table-schema", "public")
    walk.run("again", *command, "--table-schema", "public")
    return walk


def test_nothing_of_the_person_is_left_and_the_others_are_as_they_were(erased: Erased) -> None:
    assert erased.everywhere() == []
    assert erased.names() == ["Cid", "Bob"]
    assert "2 events and 2 versions" in erased.said["erase"]


def test_the_events_are_still_counted_and_say_why_they_have_no_values(erased: Erased) -> None:
    rejected = erased.project.query(
        "select reason, reason_detail, value from {cdc}.cdc_rejected_messages order by landing_batch"
    )
    assert [(reason, value) for reason, _, value in rejected] == [("ERASED", None)] * 2
    assert all(detail.endswith("request 4711") for _, detail, _ in rejected)
    assert erased.project.unaccounted() == []


def test_where_two_schemas_have_the_row_nothing_is_erased_before_one_is_named(
    erased: Erased,
) -> None:
    said = erased.said["of two schemas"]
    assert '2 tables things of shop have a row ["17"]. Say which:' in said
    assert "  --table-schema archive\n  --table-schema public" in said


def test_a_second_call_finds_nothing_to_do(erased: Erased) -> None:
    assert "nothing to erase" in erased.said["again"]


def test_no_file_of_the_tables_holds_what_they_held_before(erased: Erased) -> None:
    project = erased.project
    if project.server.table_format != "delta":
        pytest.skip("Iceberg lists its snapshots: the other tests look at them")
    for table in ("{work}.int_events", "{work}.int_row_versions", "{raw}.acme"):
        location, files = _detail(project, table)
        on_disk = [
            path
            for path in Path(location.removeprefix("file:")).rglob("*.parquet")
            if "_delta_log" not in path.parts
        ]
        assert len(on_disk) == files, table


def _detail(project: DbtProject, table: str) -> tuple[str, int]:
    connection = project.connection()
    try:
        cursor = connection.cursor()
        cursor.execute(f"describe detail {project.named(table)}")
        names = [column[0].split(".")[-1] for column in cursor.description]
        found = dict(zip(names, cursor.fetchall()[0], strict=True))
    finally:
        connection.close()
    return str(found["location"]), int(found["numFiles"])


def test_later_runs_and_a_rebuild_do_not_bring_the_values_back(erased: Erased) -> None:
    land(erased.project, (40, "18", "Bob Miller"))
    erased.run("run", "run")
    assert erased.everywhere() == []
    assert erased.names() == ["Cid", "Bob Miller"]
    erased.run("rebuild", "rebuild")
    assert erased.everywhere() == []
    assert erased.names() == ["Cid", "Bob Miller"]
    assert erased.project.unaccounted() == []

"""A person's values are taken out of everything that the package stores, and stay out."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.quick_proof import land_together

SECRET = "Ann Secret"


@dataclass
class Erased:
    """A project, and what its commands said."""

    project: DbtProject
    said: dict[str, str]

    def run(self, name: str, *words: str) -> None:
        """Run a command of `cdc` in the project."""
        environment = os.environ | self.project.environment
        environment |= {"DBT_PROFILES_DIR": str(self.project.folder / "profiles"), "COLUMNS": "300"}
        environment["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{environment['PATH']}"
        done = subprocess.run(
            [sys.executable, "-m", "cdc_changelog", *words],
            cwd=self.project.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        self.said[name] = done.stdout
        assert done.returncode == 0, done.stdout

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

    def rows(self) -> list[tuple[Any, ...]]:
        return self.project.query(
            "select row_key, `row`, is_deleted from {cdc}.cdc_current_rows order by row_key"
        )


def land(project: DbtProject, *changes: tuple[int, str, str]) -> None:
    """Land messages about customers, each at a position that is its offset too."""
    land_together(
        project,
        [
            (json.dumps(full(point, key, name=name)), "shop", "customers", 0, point)
            for point, key, name in changes
        ],
    )


@pytest.fixture(scope="module")
def erased(make_project: Callable[..., DbtProject]) -> Erased:
    project = make_project("cdc_erased", SIXTH_VENDOR, vendors=("acme",))
    file = project.folder / "dbt_project.yml"
    text = file.read_text()
    for name, schema in (
        ("cdc_raw_schema", project.raw_schema),
        ("cdc_schema", project.schema),
        ("cdc_work_schema", project.work_schema),
    ):
        text = re.sub(rf"^  {name}: \w+$", f"  {name}: {schema}", text, flags=re.MULTILINE)
    file.write_text(text)
    walk = Erased(project, {})
    project.dbt("seed")
    land(project, (10, "17", SECRET), (20, "18", "Bob"))
    project.dbt("run")
    land(project, (30, "17", f"{SECRET} again"))
    project.dbt("run")
    assert len(walk.everywhere()) == 4
    source, table, key = project.query(
        "select source, table_name, row_key from {cdc}.cdc_row_versions where `row` like '%again%'"
    )[0]
    row = f"{source}/{table}/{json.loads(key)[0]}"
    walk.run("erase", "erase", row, "--reason", "request 4711", "--yes")
    walk.run("again", "erase", row, "--reason", "request 4711", "--yes")
    return walk


@pytest.mark.server
def test_nothing_of_the_person_is_left_and_the_others_are_as_they_were(erased: Erased) -> None:
    assert erased.everywhere() == []
    [(_, row, is_deleted)] = erased.rows()
    assert (json.loads(row)["name"], is_deleted) == ("Bob", False)
    assert "2 events and 2 versions" in erased.said["erase"]


@pytest.mark.server
def test_the_events_are_still_counted_and_say_why_they_have_no_values(erased: Erased) -> None:
    rejected = erased.project.query(
        "select reason, reason_detail, value from {cdc}.cdc_rejected_messages order by landing_batch"
    )
    assert [(reason, value) for reason, _, value in rejected] == [("ERASED", None)] * 2
    assert all(detail.endswith("request 4711") for _, detail, _ in rejected)
    assert erased.project.unaccounted() == []


@pytest.mark.server
def test_a_second_call_finds_nothing_to_do(erased: Erased) -> None:
    assert "nothing to erase" in erased.said["again"]


@pytest.mark.server
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


@pytest.mark.server
def test_later_runs_and_a_rebuild_do_not_bring_the_values_back(erased: Erased) -> None:
    land(erased.project, (40, "18", "Bob Miller"))
    erased.run("run", "run")
    assert erased.everywhere() == []
    assert [json.loads(row)["name"] for _, row, _ in erased.rows()] == ["Bob Miller"]
    erased.run("rebuild", "rebuild")
    assert erased.everywhere() == []
    assert [json.loads(row)["name"] for _, row, _ in erased.rows()] == ["Bob Miller"]
    assert erased.project.unaccounted() == []

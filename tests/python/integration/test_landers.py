"""Landers beside each other, and what a killed one leaves behind."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from cdc_changelog.config import ServerConfig
from cdc_changelog.landing.files import LandingResult, land_files
from cdc_changelog.landing.leftovers import LIFE_SECONDS, new_name
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.dbt_project import DbtProject

pytestmark = pytest.mark.server

LANDERS = 4


@pytest.fixture(scope="module")
def project(make_project: Callable[..., DbtProject]) -> DbtProject:
    """A project without any schema yet."""
    project = make_project("cdc_landers", SIXTH_VENDOR, vendors=("acme",))
    project.drop_schemas()
    return project


def _land(project: DbtProject, number: int, file: Path, staging_dir: Path) -> LandingResult:
    with closing(project.connection()) as connection:
        return land_files(
            connection, "acme", f"feed {number}", [file],
            raw_schema=project.raw_schema, table_format=project.server.table_format, staging_dir=staging_dir,
        )  # fmt: skip


def test_four_landers_at_the_same_moment_in_an_empty_warehouse_all_end_well(
    project: DbtProject, tmp_path: Path
) -> None:
    files = []
    for number in range(LANDERS):
        file = tmp_path / f"{number}.jsonl"
        file.write_text(json.dumps({"number": number}) + "\n")
        files.append(file)
    with ThreadPoolExecutor(LANDERS) as pool:
        landings = list(
            pool.map(
                lambda number: _land(project, number, files[number], tmp_path / "staging"),
                range(LANDERS),
            )
        )
    assert [landing.messages for landing in landings] == [1] * LANDERS
    assert len({landing.landing_batch for landing in landings}) == LANDERS
    assert project.query(
        "select source, count(*) from {raw}.acme group by source order by source"
    ) == [(f"feed {number}", 1) for number in range(LANDERS)]


def test_a_lander_removes_what_a_killed_one_left_a_day_ago(
    project: DbtProject, tmp_path: Path
) -> None:
    made_now = new_name().replace(f"_{os.getpid()}_", "_99999999_")
    seconds = made_now.split("_")[1]
    made_long_ago = made_now.replace(f"_{seconds}_", f"_{int(seconds) - LIFE_SECONDS - 60}_")
    staging = tmp_path / "staging"
    for name in (made_now, made_long_ago):
        (staging / name).mkdir(parents=True)
        project.query(f"create table {{raw}}._{name} (body string)")
    file = tmp_path / "more.jsonl"
    file.write_text('{"number":"one more"}\n')
    _land(project, 0, file, staging)
    assert [path.name for path in staging.iterdir()] == [made_now]
    left = [name for _, name, *_ in project.query("show tables in {raw} like '_landing_*'")]
    assert left == [f"_{made_now}"]


def test_what_the_server_writes_is_readable_by_its_owner_alone(
    server: ServerConfig, project: DbtProject
) -> None:
    described = {name: text for name, text, *_ in project.query("describe extended {raw}.acme")}
    folder = Path(described["Location"].removeprefix("file:"))
    written = [path for path in folder.rglob("*") if path.is_file()]
    assert written
    for path in (*written, folder):
        assert not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO), path

"""What `pip install` brings: packages, the dbt project and the samples, without a checkout."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from cdc_changelog.config import REPOSITORY
from dev.check import listed_files

COMMANDS = (
    "cdc_changelog.server.serve",
    "cdc_changelog.server.background",
    "cdc_changelog.server.ready",
    "cdc_changelog.server.settings",
    "cdc_changelog.landing.files",
    "cdc_changelog.landing.kafka",
    "cdc_changelog",
    "cdc_changelog status",
    "cdc_changelog explain",
    "cdc_changelog init",
)
PARSE = """
from cdc_changelog.project import run_dbt
done = run_dbt("parse", "--no-partial-parse", variables={"cdc_fixtures": True})
print(done.stdout, done.stderr)
raise SystemExit(done.returncode)
"""
SAMPLES = """
from cdc_changelog.commands.demo import SAMPLES, sample_file
print(*(sample_file(folder) for folder in sorted(SAMPLES.iterdir())), sep="\\n")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    # From a copy: a build leaves folders behind where it runs.
    source = tmp_path_factory.mktemp("source")
    for name in listed_files(()):
        (source / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).write_bytes((REPOSITORY / name).read_bytes())
    subprocess.run(
        [
            sys.executable,
            "-m",
            "pip",
            "wheel",
            "--quiet",
            "--no-deps",
            "--wheel-dir",
            folder,
            source,
        ],
        check=True,
    )
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    zipfile.ZipFile(wheel).extractall(folder)
    return folder


def _python(site: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run Python in an empty folder, with the installed packages before those of the checkout."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("DBT_")}
    environment |= {"PYTHONPATH": str(site), "CDC_DATA_DIR": str(folder / "data")}
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_wheel_holds_two_packages_and_the_whole_project(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    assert {name.split("/")[0].split("-")[0] for name in names} == {"cdc_changelog", "python_udfs"}
    project = {
        name.removeprefix("cdc_changelog/dbt_project/")
        for name in names
        if name.startswith("cdc_changelog/dbt_project/")
    }
    parts = ("dbt_project.yml", "profiles/", "macros/", "models/", "seeds/", "tests/dbt/")
    tracked = {name for name in listed_files(()) if name.startswith(parts)}
    samples = {name for name in project if "/samples/" in name}
    assert project - samples == tracked
    assert {name.split("/")[3] for name in samples} >= {
        path.parent.name for path in (REPOSITORY / "tests/python/vendors").glob("*/samples")
    }
    assert any(name.endswith(".avsc") for name in names)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_wheel_says_how_it_is_used(
    site: Path, tmp_path: Path, command: str
) -> None:
    done = _python(site, tmp_path, "-m", *command.split(), "--help")
    assert done.returncode == 0, done.stderr
    assert "usage" in done.stdout.lower()


def test_the_project_of_the_wheel_is_parsed_by_dbt_and_nothing_is_written_into_it(
    site: Path, tmp_path: Path
) -> None:
    before = {path for path in site.rglob("*") if "__pycache__" not in path.parts}
    done = _python(site, tmp_path, "-c", PARSE)
    assert done.returncode == 0, done.stdout + done.stderr
    assert {path for path in site.rglob("*") if "__pycache__" not in path.parts} == before
    assert (tmp_path / "data" / "target" / "manifest.json").is_file()


def test_a_new_project_installs_the_package_out_of_the_wheel_and_is_parsed(
    site: Path, tmp_path: Path
) -> None:
    done = _python(site, tmp_path, "-m", "cdc_changelog", "init", "shop")
    assert done.returncode == 0, done.stdout + done.stderr
    for words in (["deps"], ["parse"]):
        done = _python(site, tmp_path / "shop", "-m", "cdc_changelog", "dbt", *words)
        assert done.returncode == 0, done.stdout + done.stderr
    manifest = json.loads((tmp_path / "shop" / "target" / "manifest.json").read_text())
    assert "seed.shop.shop_cdc_tables" in manifest["nodes"]
    assert "model.cdc_changelog.int_events" in manifest["nodes"]
    # Our unit tests are for those who change our models.
    assert manifest["unit_tests"] == {}
    # A second project is not laid over the first.
    again = _python(site, tmp_path, "-m", "cdc_changelog", "init", "shop")
    assert again.returncode == 1
    assert "Nothing was written" in again.stderr


def test_the_demo_of_the_wheel_finds_a_sample_of_each_vendor(site: Path, tmp_path: Path) -> None:
    done = _python(site, tmp_path, "-c", SAMPLES)
    assert done.returncode == 0, done.stderr
    found = [Path(line) for line in done.stdout.splitlines()]
    assert len(found) == len(list((REPOSITORY / "tests/python/vendors").glob("*/samples")))
    assert all(path.is_file() and site in path.parents for path in found)

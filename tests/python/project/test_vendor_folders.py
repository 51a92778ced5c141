"""A vendor lives in its own folders and nowhere else."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import jinja2
import pytest

from cdc_changelog.config import REPOSITORY
from cdc_changelog.project import read_spec, specs
from dev import staging_columns, type_tables
from dev.marked import with_table
from dev.support_matrix import PAGE, matrix, with_matrix

SPECS = specs()
NAMES = [spec["name"] for spec in SPECS]
WORDS = re.compile(
    "|".join(
        sorted(
            {part for name in NAMES for part in (name, name.split("_")[0])}, key=len, reverse=True
        )
    ),
    re.IGNORECASE,
)
VENDOR_FOLDERS = (
    "models/staging",
    "models/intermediate",
    "macros/vendors",
    "seeds",
    "python_udfs",
    "cdc_changelog/landing/decoders",
    "tests/python/vendors",
    "tests/dbt",
    "benchmarks",
)
FREE = ("docs/", "README.md", "CHANGELOG.md", "DECISIONS.md", "tests/", "seeds/config/")


def _tracked() -> list[str]:
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    return subprocess.run(
        command, cwd=REPOSITORY, capture_output=True, text=True, check=True
    ).stdout.splitlines()


def _is_in_a_vendor_folder(name: str) -> bool:
    return any(
        name.startswith(f"{folder}/{vendor}/") for folder in VENDOR_FOLDERS for vendor in NAMES
    )


def test_no_vendor_is_named_outside_its_folders() -> None:
    found = []
    for name in _tracked():
        path = REPOSITORY / name
        is_text = (
            path.suffix in (".sql", ".py", ".yml", ".yaml", ".toml", ".csv") and path.is_file()
        )
        if not is_text or _is_in_a_vendor_folder(name) or name.startswith(FREE):
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := WORDS.search(line):
                found.append(f"{name}:{number}: {match.group()}")
    assert found == []


def test_no_vendor_folder_names_another_vendor() -> None:
    found = []
    for name in _tracked():
        owner = next(
            (v for v in NAMES for folder in VENDOR_FOLDERS if name.startswith(f"{folder}/{v}/")),
            None,
        )
        path = REPOSITORY / name
        if owner is None or path.suffix not in (".sql", ".py", ".yml"):
            continue
        others = re.compile("|".join(other for other in NAMES if other != owner))
        found += [f"{name}: {match}" for match in others.findall(path.read_text())]
    assert found == []


@pytest.mark.parametrize("vendor", NAMES)
def test_every_vendor_folder_has_the_required_files(vendor: str) -> None:
    wanted = [
        f"macros/vendors/{vendor}/_{vendor}__macros.yml",
        f"models/staging/{vendor}/_{vendor}__sources.yml",
        f"models/staging/{vendor}/_{vendor}__models.yml",
        f"models/staging/{vendor}/_{vendor}__unit_tests.yml",
        f"models/staging/{vendor}/stg_{vendor}__events.sql",
        f"models/staging/{vendor}/stg_{vendor}__fields.sql",
        f"models/staging/{vendor}/stg_{vendor}__changes.sql",
        f"seeds/{vendor}/_{vendor}__seeds.yml",
        f"seeds/{vendor}/raw_{vendor}__fixtures.csv",
        f"docs/vendors/{vendor}.md",
        f"tests/python/vendors/{vendor}/encoder.py",
    ]
    assert [name for name in wanted if not (REPOSITORY / name).is_file()] == []


def _problem(**changed: object) -> str:
    """What dbt says of the first vendor's spec with some keys changed; a key that is None is left out."""

    def fail(message: str) -> None:
        raise ValueError(message)

    spec = {**SPECS[0], **changed}
    spec = {key: value for key, value in spec.items() if key not in changed or value is not None}
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])
    environment.globals["exceptions"] = {"raise_compiler_error": fail}
    text = (REPOSITORY / "macros" / "checks" / "cdc_check_vendor_spec.sql").read_text()
    try:
        environment.from_string(text).module.cdc_check_vendor_spec(  # type: ignore[attr-defined]
            spec, f"cdc_vendor__{SPECS[0]['name']}"
        )
    except ValueError as error:
        return str(error)
    return ""


@pytest.mark.parametrize(
    ("changed", "problem"),
    [
        ({}, ""),
        ({"transactions": None}, "it has no key transactions"),
        ({"transaction": "next"}, "its key transaction is not known"),
        ({"snapshot_order": "never"}, "snapshot_order is never; expected time or epoch_start"),
        ({"name": "other"}, f"name is other; expected {SPECS[0]['name']}"),
        (
            {"identity_holds_content": "yes"},
            "identity_holds_content is yes; expected True or False",
        ),
    ],
)
def test_a_spec_that_cannot_be_used_is_an_error_that_says_why(
    changed: dict[str, object], problem: str
) -> None:
    found = _problem(**changed)
    assert problem in found
    assert bool(problem) == bool(found)


def test_every_spec_says_the_same_things() -> None:
    first = SPECS[0]
    for spec in SPECS:
        assert set(spec) == set(first), spec["name"]
        assert spec["snapshot_order"] in ("time", "epoch_start"), spec["name"]


def test_the_page_on_adding_a_vendor_names_every_key_of_a_spec() -> None:
    page = (REPOSITORY / "docs" / "adding_a_vendor.md").read_text()
    section = page.split("## The spec\n", 1)[1].split("\n## ", 1)[0]
    assert re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE) == list(SPECS[0])


def test_the_support_matrix_is_what_the_specs_say() -> None:
    text = PAGE.read_text()
    assert with_matrix(text, matrix(SPECS)) == text


def test_the_column_types_on_a_vendors_page_are_those_of_its_list() -> None:
    for spec in SPECS:
        page = (REPOSITORY / spec["docs"]).read_text()
        table = type_tables.table(spec["name"])
        assert with_table(page, type_tables.START, type_tables.END, table) == page


def test_the_page_on_adding_a_vendor_describes_every_column_of_staging() -> None:
    page = staging_columns.PAGE.read_text()
    described = with_table(
        page, staging_columns.START, staging_columns.END, staging_columns.table()
    )
    assert described == page


def test_every_document_that_another_links_exists() -> None:
    pages = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]
    missing = [
        f"{page.relative_to(REPOSITORY)}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text())
        if not (page.parent / target).exists()
    ]
    assert missing == []


def test_a_macro_stands_in_the_file_of_its_name_with_helpers_of_its_own() -> None:
    astray = []
    for path in (REPOSITORY / "macros").rglob("*.sql"):
        first, *helpers = re.findall(r"{%-?\s*macro (\w+)", path.read_text())
        if first != path.stem or not all(
            helper.startswith("_cdc_") or helper == f"default__{first}" for helper in helpers
        ):
            astray.append(path.name)
    assert astray == []


def test_a_spec_can_be_read_without_dbt(tmp_path: Path) -> None:
    file = tmp_path / "cdc_vendor__x.sql"
    file.write_text(
        "{% macro cdc_vendor__x() %}{{ return({'name': 'x', 'ok': true}) }}{% endmacro %}"
    )
    assert read_spec(file) == {"name": "x", "ok": True}


def test_every_code_of_the_vendor_folders_is_documented() -> None:
    documented = (REPOSITORY / "docs" / "reason_codes.md").read_text()
    codes = {
        code
        for root in ("models/staging", "macros/vendors", "models/intermediate")
        for path in (REPOSITORY / root).rglob("*.sql")
        for pattern in (r"(?:then|else) '([A-Z]+_[A-Z_]+)'", r"'([A-Z]+_[A-Z_]+)': ")
        for code in re.findall(pattern, path.read_text())
    }
    assert sorted(code for code in codes if f"| {code} |" not in documented) == []


def test_unit_tests_have_names_of_their_own() -> None:
    """The temporary view of a unit test has its name, and all are in one session."""
    names = [
        name
        for file in (REPOSITORY / "models").rglob("*unit_tests.yml")
        for name in re.findall(r"^  - name: (\w+)", file.read_text(), flags=re.MULTILINE)
    ]
    assert len(names) > 150
    assert sorted(names) == sorted(set(names))

"""What the registry finds, does not accept and hands to Spark."""

from __future__ import annotations

import importlib
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from python_udfs.registry import (
    Udf,
    UdfRegistryError,
    discover,
)

MODULE = """
import pyarrow as pa
from python_udfs.registry import Udf

def same(values: pa.Array) -> pa.Array:
    return values

UDFS = [Udf("{name}", same, "string")]
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    root = tmp_path / "throw_away_udfs"
    root.mkdir()
    (root / "__init__.py").write_text("")
    monkeypatch.syspath_prepend(str(tmp_path))
    yield root
    for name in [name for name in sys.modules if name.split(".")[0] == root.name]:
        del sys.modules[name]


def load(root: Path) -> ModuleType:
    importlib.invalidate_caches()
    return importlib.import_module(root.name)


def add(root: Path, relative: str, text: str) -> None:
    path = root / relative
    path.parent.mkdir(exist_ok=True)
    if path.parent != root:
        (path.parent / "__init__.py").touch()
    path.write_text(textwrap.dedent(text))


def test_udfs_of_every_module_below_the_package_are_found_by_name_order(package: Path) -> None:
    add(package, "zoo.py", MODULE.format(name="a_first"))
    add(package, "folder/deep.py", MODULE.format(name="b_second"))
    assert [udf.name for udf in discover(load(package))] == ["a_first", "b_second"]


def test_one_name_in_two_modules_is_an_error_that_names_both(package: Path) -> None:
    add(package, "one.py", MODULE.format(name="twice"))
    add(package, "folder/two.py", MODULE.format(name="twice"))
    with pytest.raises(UdfRegistryError) as error:
        discover(load(package))
    assert "throw_away_udfs.one" in str(error.value)
    assert "throw_away_udfs.folder.two" in str(error.value)


def test_a_module_whose_udfs_are_no_list_of_udf_is_named(package: Path) -> None:
    add(package, "wrong.py", "UDFS = ['text']")
    with pytest.raises(UdfRegistryError, match=r"throw_away_udfs\.wrong\.UDFS"):
        discover(load(package))


def test_a_name_that_sql_would_have_to_quote_is_rejected() -> None:
    with pytest.raises(UdfRegistryError, match="'Bad-Name'"):
        Udf("Bad-Name", lambda values: values, "string")


def test_the_udfs_of_the_repository_have_distinct_names() -> None:
    names = [udf.name for udf in discover()]
    assert len(names) == len(set(names))

"""What somebody sees who reads the public tables all through runs and a rebuild."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

import pytest

from cdc_changelog.client import run_sql
from tests.python.conftest import SIXTH_VENDOR
from tests.python.helpers.cases import full
from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.quick_proof import land_together

pytestmark = [pytest.mark.server, pytest.mark.slow]

KEYS = range(40)
LOADS = (10, 20, 30)
# A load changes every row, to the number of the load.
LOOKS = {
    "changes of a load": "select count(*), count(distinct change_id), position from {cdc}.cdc_changelog group by position",
    "current rows": "select count(*), count(distinct row_key), get_json_object(`row`, '$.v') from {cdc}.cdc_current_rows group by 3",
    "current versions": "select count(*), count(distinct row_key), get_json_object(`row`, '$.v') from {cdc}.cdc_row_versions"
    " where is_current group by 3",
}


@dataclass
class Reader:
    """Looks at the public tables until it is stopped, and keeps what it saw."""

    project: DbtProject
    seen: dict[str, set[tuple[tuple[int, int, str], ...]]] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    looks: int = 0

    @contextmanager
    def reading(self) -> Iterator[None]:
        """Look all the while that something else is done."""
        stopped = threading.Event()
        thread = threading.Thread(target=self._read_until, args=(stopped,))
        thread.start()
        try:
            yield
        finally:
            stopped.set()
            thread.join()

    def _read_until(self, stopped: threading.Event) -> None:
        with closing(self.project.connection()) as connection:
            while not stopped.is_set():
                for name, sql in LOOKS.items():
                    try:
                        rows = run_sql(connection, self.project.named(sql))
                    except Exception as error:
                        self.errors.append(f"{name}: {str(error)[:300]}")
                        continue
                    self.seen.setdefault(name, set()).add(tuple(sorted(rows)))
                    self.looks += 1


@pytest.fixture(scope="module")
def reader(make_project: Callable[..., DbtProject]) -> Reader:
    """A reader that looked all through two runs and a rebuild of what they and a first run loaded."""
    project = make_project("cdc_readers", SIXTH_VENDOR, vendors=("acme",))
    project.dbt("seed")
    found = Reader(project)

    def load(point: int) -> None:
        land_together(
            project, [(json.dumps(full(point, str(key), v=point)), "shop") for key in KEYS]
        )

    load(LOADS[0])
    project.dbt("run")
    with found.reading():
        for point in LOADS[1:]:
            load(point)
            project.dbt("run")
        project.dbt("build", "--exclude", "test_type:unit", cdc_rebuild=True)
    return found


def test_a_reader_meets_no_error(reader: Reader) -> None:
    assert reader.errors == []
    assert reader.looks > 30


def test_a_reader_never_sees_a_change_or_a_row_twice(reader: Reader) -> None:
    for name, states in reader.seen.items():
        assert all(count == distinct for rows in states for count, distinct, _ in rows), name


def test_a_reader_sees_a_load_whole_or_not_at_all(reader: Reader) -> None:
    whole = [[(len(KEYS), len(KEYS), f"{point:04d}") for point in LOADS[:n]] for n in (1, 2, 3)]
    assert sorted(reader.seen["changes of a load"]) == [tuple(state) for state in whole]
    rows = {((len(KEYS), len(KEYS), str(point)),) for point in LOADS}
    assert reader.seen["current rows"] == rows
    assert reader.seen["current versions"] == rows

"""The dbt unit tests of every room: one behaviour each, on messages shaped as the vendors send them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest

from tests.python.dbt_project import DbtProject
from tools.support_matrix import specs

pytestmark = pytest.mark.server


def test_every_unit_test_of_every_room_passes(make_project: Callable[..., DbtProject]) -> None:
    project = make_project("cdc_units")
    results = project.dbt("test", "--select", "test_type:unit").results
    rooms = Counter(result.node.fqn[2] for result in results)
    assert {spec["name"] for spec in specs()} <= set(rooms), rooms
    assert sum(rooms.values()) >= 150

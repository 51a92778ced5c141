"""What `make build` decides before dbt starts."""

from __future__ import annotations

from pathlib import Path

from engine.config import EngineConfig
from tools.build import project_fingerprint


def test_a_changed_file_and_another_server_change_the_fingerprint(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    model = tmp_path / "models" / "a.sql"
    model.write_text("select 1")
    here, there = EngineConfig(port=1), EngineConfig(port=2)
    first = project_fingerprint(tmp_path, here)
    assert project_fingerprint(tmp_path, here) == first
    assert project_fingerprint(tmp_path, there) != first
    model.write_text("select 2")
    assert project_fingerprint(tmp_path, here) != first

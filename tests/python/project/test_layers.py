"""The lineage runs in one direction: what a run knows, staging, intermediate models, marts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from dbt.cli.main import dbtRunner

from cdc_changelog.config import REPOSITORY

LAYERS = ("run", "staging", "intermediate", "marts", "fixtures")


@pytest.mark.parametrize("visibility", ["all", "transaction"])
def test_no_model_reads_one_of_a_later_layer(tmp_path: Path, visibility: str) -> None:
    options = {
        "--project-dir": str(REPOSITORY),
        "--profiles-dir": str(REPOSITORY / "profiles"),
        "--target-path": str(tmp_path),
        "--vars": json.dumps({"cdc_fixtures": True, "cdc_visibility": visibility}),
    }
    words = [word for option in options.items() for word in option]
    assert dbtRunner().invoke(["parse", "--quiet", *words]).success
    nodes = json.loads((tmp_path / "manifest.json").read_text())["nodes"]
    models = {name: node for name, node in nodes.items() if node["resource_type"] == "model"}
    layer_of = {name: LAYERS.index(Path(node["path"]).parts[0]) for name, node in models.items()}
    assert set(layer_of.values()) == set(range(len(LAYERS)))
    backward = [
        f"{node['name']} reads {models[read]['name']}"
        for name, node in models.items()
        for read in node["depends_on"]["nodes"]
        if read in models and layer_of[read] > layer_of[name]
    ]
    assert backward == []

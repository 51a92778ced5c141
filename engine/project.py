"""What dbt_project.yml says, for commands that work beside dbt: the schemas above all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from engine.config import REPOSITORY


def project_vars(root: Path = REPOSITORY) -> dict[str, Any]:
    """Return the variables under `vars:`; none where landing runs without the project's models."""
    path = root / "dbt_project.yml"
    found: dict[str, Any] = yaml.safe_load(path.read_text())["vars"] if path.exists() else {}
    return found


def raw_schema(root: Path = REPOSITORY) -> str:
    """Return the schema of the raw messages."""
    return str(project_vars(root).get("cdc_raw_schema", "cdc_raw"))


def public_schema(root: Path = REPOSITORY) -> str:
    """Return the schema of the marts."""
    return str(project_vars(root).get("cdc_schema", "cdc"))


def work_schema(root: Path = REPOSITORY) -> str:
    """Return the schema of the working tables."""
    return str(project_vars(root).get("cdc_work_schema", "cdc_work"))

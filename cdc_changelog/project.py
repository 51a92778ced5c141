"""The dbt project, for what works beside dbt: variables, vendors' specs, and how dbt is run."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import yaml

from cdc_changelog.config import IS_CHECKOUT, PROJECT, config_from_environment


def project_vars(root: Path = PROJECT) -> dict[str, Any]:
    """Return the variables under `vars:`; none where landing runs without the project's models."""
    path = root / "dbt_project.yml"
    found: dict[str, Any] = yaml.safe_load(path.read_text())["vars"] if path.exists() else {}
    return found


def raw_schema(root: Path = PROJECT) -> str:
    """Return the schema of the raw messages."""
    return str(project_vars(root).get("cdc_raw_schema", "cdc_raw"))


def public_schema(root: Path = PROJECT) -> str:
    """Return the schema of the marts."""
    return str(project_vars(root).get("cdc_schema", "cdc"))


def work_schema(root: Path = PROJECT) -> str:
    """Return the schema of the working tables."""
    return str(project_vars(root).get("cdc_work_schema", "cdc_work"))


def vendor_spec_files(root: Path = PROJECT) -> list[Path]:
    """Return the files of the vendors' specs, one in each folder, sorted by vendor."""
    return sorted((root / "macros" / "vendors").glob("*/cdc_vendor__*.sql"))


class _Returned(Exception):
    """Carries what a macro returned."""

    def __init__(self, value: dict[str, Any]) -> None:
        self.value = value


def _return(value: dict[str, Any]) -> None:
    raise _Returned(value)


def read_spec(path: Path) -> dict[str, Any]:
    """Return what the macro cdc_vendor__<vendor> in this file returns.

    Raises ValueError if it returns nothing.
    """
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])
    environment.globals["return"] = _return
    module = environment.from_string(path.read_text()).module
    try:
        getattr(module, path.stem)()
    except _Returned as returned:
        return returned.value
    raise ValueError(f"{path}: the macro {path.stem} returns no spec")


def specs(root: Path = PROJECT) -> list[dict[str, Any]]:
    """Return the specs of all vendors, sorted by name."""
    return [read_spec(path) for path in vendor_spec_files(root)]


def dbt_command(
    *words: str, variables: Mapping[str, Any] | None = None, target: Path | None = None
) -> list[str]:
    """Return a command that runs the dbt of this Python environment.

    `variables` become dbt's `--vars`; `target` is the folder for what dbt leaves behind.
    """
    command = [str(Path(sysconfig.get_path("scripts"), "dbt")), *words]
    if variables:
        command += ["--vars", json.dumps(variables)]
    if target is not None:
        command += ["--target-path", str(target)]
    return command


def dbt_environment() -> dict[str, str]:
    """Return the environment in which dbt finds the project's profile; what is set stays."""
    defaults = {
        "DBT_PROFILES_DIR": str(PROJECT / "profiles"),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    if not IS_CHECKOUT:
        # Nothing is written into the installed copy of the project.
        data_dir = config_from_environment().data_dir
        defaults["DBT_TARGET_PATH"] = str(data_dir / "target")
        defaults["DBT_LOG_PATH"] = str(data_dir / "logs")
    return defaults | os.environ


def run_dbt(
    *words: str,
    variables: Mapping[str, Any] | None = None,
    target: Path | None = None,
    environment: Mapping[str, str] | None = None,
    is_shown: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run dbt on the project to its end, whatever that is.

    What dbt says is kept, or shown where `is_shown`. `environment` is added to what is set.
    """
    return subprocess.run(
        dbt_command(*words, variables=variables, target=target),
        cwd=PROJECT,
        env=dbt_environment() | dict(environment or {}),
        capture_output=not is_shown,
        text=True,
        check=False,
    )

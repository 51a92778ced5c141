"""The dbt project, for what works beside dbt: variables, vendors' specs, and how dbt is run."""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jinja2
import yaml

from cdc_changelog.config import IS_CHECKOUT, PACKAGE_PROJECT, PROJECT, config_from_environment

NAME = "cdc_changelog"


def _project_file(root: Path) -> dict[str, Any]:
    path = root / "dbt_project.yml"
    found: dict[str, Any] = yaml.safe_load(path.read_text()) if path.exists() else {}
    return found


def project_vars(root: Path = PROJECT) -> dict[str, Any]:
    """Return the variables of a project, as our models see them.

    A project that installs ours sets them under `vars:`, or there under `cdc_changelog:`. None are
    known where landing runs without the project's models.
    """
    own: dict[str, Any] = _project_file(root).get("vars", {})
    if root == models_folder(root):
        return own
    ours: dict[str, Any] = _project_file(models_folder(root)).get("vars", {})
    theirs: dict[str, Any] = own.get(NAME, {})
    return {name: own.get(name, value) for name, value in ours.items()} | theirs


def raw_schema(root: Path = PROJECT) -> str:
    """Return the schema of the raw messages."""
    return str(project_vars(root).get("cdc_raw_schema", "cdc_raw"))


def public_schema(root: Path = PROJECT) -> str:
    """Return the schema of the marts."""
    return str(project_vars(root).get("cdc_schema", "cdc"))


def work_schema(root: Path = PROJECT) -> str:
    """Return the schema of the working tables."""
    return str(project_vars(root).get("cdc_work_schema", "cdc_work"))


def configuration_file(seed: str, root: Path = PROJECT) -> Path:
    """Return the file of a configuration seed, as the var `cdc_configuration` names it."""
    name = project_vars(root).get("cdc_configuration", {}).get(seed, seed)
    found = sorted((root / "seeds").rglob(f"{name}.csv"))
    return (found or [root / "seeds" / f"{name}.csv"])[0].relative_to(root)


def models_folder(root: Path = PROJECT) -> Path:
    """Return the folder of our dbt project for a project: itself, or the one that it installs."""
    return root if _project_file(root).get("name") == NAME else PACKAGE_PROJECT


def vendor_spec_files(root: Path | None = None) -> list[Path]:
    """Return the files of the vendors' specs, one in each folder, sorted by vendor."""
    root = root or models_folder()
    return sorted((root / "macros" / "vendors").glob("*/cdc_vendor__*.sql"))


def known_vendors() -> list[str]:
    """Return the names of the vendors that have a folder, in order."""
    return [file.parent.name for file in vendor_spec_files()]


class _Returned(Exception):
    """Carries what a macro returned."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _return(value: Any) -> None:
    raise _Returned(value)


def read_macro(path: Path) -> Any:
    """Return what the macro of a file returns that needs neither dbt nor other macros.

    Raises ValueError if it returns nothing.
    """
    environment = jinja2.Environment(extensions=["jinja2.ext.do"])
    environment.globals["return"] = _return
    module = environment.from_string(path.read_text()).module
    try:
        getattr(module, path.stem)()
    except _Returned as returned:
        return returned.value
    raise ValueError(f"{path}: the macro {path.stem} returns nothing")


def read_spec(path: Path) -> dict[str, Any]:
    """Return the spec of a vendor, as the macro cdc_vendor__<vendor> in this file returns it.

    Raises ValueError if it returns nothing.
    """
    spec: dict[str, Any] = read_macro(path)
    return spec


@functools.cache
def column_types(vendor: str, root: Path | None = None) -> list[dict[str, str]]:
    """Return how the types of a vendor's columns become Spark types; empty where none are listed.

    Each has `name`, `type`, perhaps `sql` and `note`, and an example: `sent`, `becomes`.
    """
    name = f"cdc_column_types__{vendor}"
    path = (root or models_folder()) / "macros" / "vendors" / vendor / f"{name}.sql"
    types: list[dict[str, str]] = read_macro(path) if path.exists() else []
    return types


def specs(root: Path | None = None) -> list[dict[str, Any]]:
    """Return the specs of all vendors, sorted by name."""
    return [read_spec(path) for path in vendor_spec_files(root)]


def dbt_command(
    *words: str, variables: Mapping[str, Any] | None = None, target: Path | None = None
) -> list[str]:
    """Return a command that runs the dbt of this Python environment (cdc_changelog.dbt_process).

    `variables` become dbt's `--vars`; `target` is the folder for what dbt leaves behind.
    """
    command = [sys.executable, "-m", "cdc_changelog.dbt_process", *words]
    if variables:
        command += ["--vars", json.dumps(variables)]
    if target is not None:
        command += ["--target-path", str(target)]
    return command


def dbt_environment(project: Path = PROJECT) -> dict[str, str]:
    """Return the environment in which dbt finds profile and package; what is set stays."""
    defaults = {
        # packages.yml of a project that `cdc init` has made names our project by it.
        "CDC_PACKAGE": str(PACKAGE_PROJECT),
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
    }
    for folder in (project, project / "profiles"):
        if (folder / "profiles.yml").exists():
            defaults["DBT_PROFILES_DIR"] = str(folder)
    if project == PACKAGE_PROJECT and not IS_CHECKOUT:
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
    project: Path = PROJECT,
) -> subprocess.CompletedProcess[str]:
    """Run dbt on a project to its end, whatever that is.

    What dbt says is kept, or shown where `is_shown`. `environment` is added to what is set.
    """
    return subprocess.run(
        dbt_command(*words, variables=variables, target=target),
        cwd=project,
        env=dbt_environment(project) | dict(environment or {}),
        capture_output=not is_shown,
        text=True,
        check=False,
    )

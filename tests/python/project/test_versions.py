"""The Python package and the dbt package are released together, under one version number."""

from __future__ import annotations

import tomllib

import yaml

from cdc_changelog.config import REPOSITORY


def test_the_python_package_has_the_version_of_the_dbt_package() -> None:
    python_package = tomllib.loads((REPOSITORY / "pyproject.toml").read_text())["project"]
    dbt_package = yaml.safe_load((REPOSITORY / "dbt_project.yml").read_text())
    assert python_package["version"] == dbt_package["version"]

"""Lays the dbt project and the demo's samples into the wheel; all else is in pyproject.toml."""

from __future__ import annotations

import shutil
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
# Where `cdc_changelog.config` looks for the project outside of a checkout.
INSTALLED_PROJECT = "cdc_changelog/dbt_project"
PROJECT_PARTS = (
    "dbt_project.yml",
    "profiles/*.yml",
    "macros/**/*",
    "models/**/*",
    "seeds/**/*",
    "tests/dbt/**/*",
    "tests/python/vendors/*/samples/*",
)


class BuildWithProject(build_py):
    """Builds the packages, and adds the project to them unless they stay in the checkout."""

    def run(self) -> None:
        """Build, then copy."""
        super().run()
        if self.editable_mode:
            return
        for part in PROJECT_PARTS:
            for source in sorted(HERE.glob(part)):
                if source.is_file():
                    target = Path(self.build_lib, INSTALLED_PROJECT, source.relative_to(HERE))
                    target.parent.mkdir(parents=True, exist_ok=True)
                    shutil.copy(source, target)


setup(cmdclass={"build_py": BuildWithProject})

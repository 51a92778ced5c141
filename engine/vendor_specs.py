"""The vendors' specs, read from their macros without dbt."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2

from engine.config import REPOSITORY


def vendor_spec_files(root: Path = REPOSITORY) -> list[Path]:
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


def specs(root: Path = REPOSITORY) -> list[dict[str, Any]]:
    """Return the specs of all vendors, sorted by name."""
    return [read_spec(path) for path in vendor_spec_files(root)]

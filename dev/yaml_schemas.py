"""Checks every YAML file of the dbt project against the JSON schemas that dbt-core brings.

dbt itself ignores a mistyped key in many places; a schema does not.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import dbt

from cdc_changelog.config import REPOSITORY

SCHEMAS = Path(next(iter(dbt.__path__))) / "jsonschemas"


def main() -> int:
    """Check dbt_project.yml and all property files; return 1 if one does not fit."""
    properties = sorted(
        str(path)
        for root in ("models", "seeds", "macros", "tests/dbt")
        for path in (REPOSITORY / root).rglob("*.yml")
    )
    code = 0
    for kind, files in (
        ("project", [str(REPOSITORY / "dbt_project.yml")]),
        ("resources", properties),
    ):
        schemas = sorted((SCHEMAS / kind).glob("*.json"))
        if not schemas:
            print(f"error: no schema in {SCHEMAS / kind}", file=sys.stderr)
            return 1
        command = ["check-jsonschema", "--schemafile", str(schemas[-1]), *files]
        code |= subprocess.run(command, check=False).returncode
    return 1 if code else 0


if __name__ == "__main__":
    sys.exit(main())

"""`make build`: dbt build of the vendors that have something new.

The server is asked for unread landing batches before dbt starts. Where there are none, and the
project's files are as they were at the last build, nothing is run. Otherwise dbt builds all models
but the staging of vendors without new messages; after a change of the project's files it builds all
of them. A plain `dbt build` does the same work, a little slower. Arguments go to dbt as they are.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

from rich.console import Console

from engine.config import REPOSITORY, EngineConfig, config_from_environment
from landing.bodies import LandingError
from landing.raw_tables import SqlConnection, connect, run_sql
from tools.support_matrix import specs

PROJECT_FILES = ("dbt_project.yml", "macros", "models", "seeds/config", "profiles", "python_udfs")
DBT_BUILD = ("dbt", "build", "--exclude", "test_type:unit")
STAMP = REPOSITORY / "target" / "built.json"


def project_fingerprint(root: Path, config: EngineConfig) -> str:
    """Return a hash of the project's files and of the server that it is built on."""
    digest = hashlib.sha256(f"{config.host}:{config.port} {config.table_format}".encode())
    for part in PROJECT_FILES:
        path = root / part
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"\n{file.relative_to(root)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def unread_vendors(
    connection: SqlConnection,
    vendors: list[str],
    raw_schema: str = "cdc_raw",
    work_schema: str = "cdc_work",
) -> list[str] | None:
    """Return the vendors with landing batches that the event store does not hold.

    None before the first build. Raises LandingError if the server refuses to answer.
    """
    if not run_sql(connection, f"show schemas like '{work_schema}'"):
        return None
    if not run_sql(connection, f"show tables in {work_schema} like 'int_events'"):
        return None
    landed = " union all ".join(
        f"select distinct '{vendor}' as vendor, landing_batch from {raw_schema}.{vendor}"
        for vendor in vendors
    )
    rows = run_sql(
        connection,
        f"select distinct vendor from ({landed}) as landed"
        f" left anti join {work_schema}.int_events as events using (vendor, landing_batch)"
        " order by vendor",
    )
    return [vendor for (vendor,) in rows]


def _last_fingerprint() -> str | None:
    try:
        return str(json.loads(STAMP.read_text())["fingerprint"])
    except (OSError, ValueError, KeyError):
        return None


def main() -> int:
    """Build what has something to do; return dbt's exit code, 1 without a server."""
    console = Console(highlight=False)
    if sys.argv[1:]:
        return subprocess.run([*DBT_BUILD, *sys.argv[1:]], check=False).returncode
    config = config_from_environment()
    vendors = [spec["name"] for spec in specs()]
    try:
        connection = connect(config.host, config.port)
        unread = unread_vendors(connection, vendors)
        connection.close()
    except LandingError as error:
        console.print(f"[red]error:[/] {error}")
        return 1
    fingerprint = project_fingerprint(REPOSITORY, config)
    is_unchanged = fingerprint == _last_fingerprint()
    command = list(DBT_BUILD)
    if unread is not None and is_unchanged:
        if not unread:
            console.print("Nothing new: the event store holds every landing batch.")
            return 0
        console.print(f"New messages of {', '.join(unread)}.")
        command += [f"path:models/staging/{vendor}" for vendor in vendors if vendor not in unread]
    code = subprocess.run(command, check=False, env=os.environ).returncode
    if code == 0:
        STAMP.parent.mkdir(exist_ok=True)
        STAMP.write_text(json.dumps({"fingerprint": fingerprint}))
    return code


if __name__ == "__main__":
    sys.exit(main())

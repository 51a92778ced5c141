"""A copy of the dbt project with schemas of its own, for tests that run it."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest import mock

from dbt.cli.main import dbtRunner
from pyhive import hive
from pyhive.exc import Error

from cdc_changelog.client import SqlConnection, connect, run_sql
from cdc_changelog.commands.build import left_out
from cdc_changelog.config import REPOSITORY, ServerConfig
from cdc_changelog.landing.bodies import Message
from cdc_changelog.landing.raw_tables import land

# What `make run` asks of dbt where nothing but messages is new.
NEW_MESSAGES_ALONE = ("--exclude", *left_out("run", [], []))
MODELS_OF_A_SESSION = 8
PROJECT_PARTS = ("dbt_project.yml", "macros", "models", "profiles", "seeds", "tests/dbt")


class DbtError(AssertionError):
    """A dbt command failed; the text holds what it said of each node that did."""


def _name(result: Any) -> str:
    """Name of what a result is of: a node, or an operation, which has none."""
    return str(result.node.name if hasattr(result, "node") else result.unique_id)


@contextlib.contextmanager
def few_sessions() -> Iterator[None]:
    """Let dbt use its sessions again, and end them without an error.

    It opens one for each model, which costs the server a tenth of a small run. The server fails to
    end a session while another one drops a temporary view. It keeps the plans of a session's
    statements until the session ends, so that one serves for some models only.
    """
    connect, close = hive.connect, hive.Connection.close
    idle: list[hive.Connection] = []
    uses: Counter[hive.Connection] = Counter()

    def end(connection: hive.Connection) -> None:
        with contextlib.suppress(Error):
            close(connection)

    def connect_again(**options: Any) -> hive.Connection:
        return idle.pop() if idle else connect(**options)

    def keep(connection: hive.Connection) -> None:
        if connection in idle:
            return
        uses[connection] += 1
        if uses[connection] < MODELS_OF_A_SESSION:
            idle.append(connection)
        else:
            end(connection)

    with (
        mock.patch.object(hive, "connect", connect_again),
        mock.patch.object(hive.Connection, "close", keep),
    ):
        yield
    for connection in idle:
        end(connection)


@dataclass
class DbtProject:
    """A project folder and the schemas that its runs write to."""

    folder: Path
    server: ServerConfig
    name: str
    variables: dict[str, Any] = field(default_factory=dict)

    @property
    def raw_schema(self) -> str:
        """Schema of the raw messages."""
        return f"{self.name}_raw"

    @property
    def schema(self) -> str:
        """Schema of what is public."""
        return self.name

    @property
    def work_schema(self) -> str:
        """Schema of working tables."""
        return f"{self.name}_work"

    @property
    def environment(self) -> dict[str, str]:
        """Variables that lead a command to the server of the tests."""
        return {
            "CDC_THRIFT_HOST": self.server.host,
            "CDC_THRIFT_PORT": str(self.server.port),
            "CDC_TABLE_FORMAT": self.server.table_format,
        }

    def dbt(self, *arguments: str, **variables: Any) -> Any:
        """Run a dbt command; raise DbtError with what failed."""
        os.environ.update(self.environment)
        with few_sessions():
            threads = () if "--threads" in arguments else ("--threads", "2")
            result = dbtRunner().invoke(self.dbt_arguments(*arguments, *threads, **variables))
        if not result.success:
            nodes = getattr(result.result, "results", None) or []
            failed = [
                f"{_name(node)}: {node.status}: {str(node.message)[:1500]}"
                for node in nodes
                if str(node.status) not in ("success", "pass", "skipped", "warn")
            ]
            raise DbtError("\n".join(failed) or str(result.exception))
        return result.result

    def unaccounted(self) -> list[tuple[Any, ...]]:
        """Return what the test accounts_for_every_message finds: batches and sources where numbers do not agree."""
        self.dbt("compile", "--select", "accounts_for_every_message")
        [compiled] = (self.folder / "target" / "compiled").rglob("accounts_for_every_message.sql")
        return self.query(compiled.read_text())

    def dbt_arguments(self, *arguments: str, **variables: Any) -> list[str]:
        """Return the whole command line of a dbt command, without `dbt` itself."""
        all_variables = {
            "cdc_raw_schema": self.raw_schema,
            "cdc_schema": self.schema,
            "cdc_work_schema": self.work_schema,
            **self.variables,
            **variables,
        }
        return [
            *arguments,
            "--project-dir",
            str(self.folder),
            "--profiles-dir",
            str(self.folder / "profiles"),
            "--target-path",
            str(self.folder / "target"),
            "--log-path",
            str(self.folder / "logs"),
            "--vars",
            json.dumps(all_variables),
            "--quiet",
            # A run's artifacts are for the documentation, and for `dbt retry`, whose run asks for them.
            *(
                ()
                if arguments[0] == "docs" or "--write-json" in arguments
                else ("--no-write-json",)
            ),
        ]

    def write_variables(self, **variables: str) -> None:
        """Write the schemas, and more variables, into dbt_project.yml, where commands find them."""
        file = self.folder / "dbt_project.yml"
        text = file.read_text()
        schemas = {
            "cdc_raw_schema": self.raw_schema,
            "cdc_schema": self.schema,
            "cdc_work_schema": self.work_schema,
        }
        for name, value in (schemas | variables).items():
            text, count = re.subn(
                rf"^  {name}: \w+$", f"  {name}: {value}", text, flags=re.MULTILINE
            )
            assert count == 1, name
        file.write_text(text)

    def tool(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run one of the tools on the public schema, as `make` does; wide, so that no line is broken."""
        return subprocess.run(
            [sys.executable, "-m", *arguments, "--schema", self.schema],
            env=os.environ | self.environment | {"COLUMNS": "4000"},
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=False,
        )

    def connection(self) -> SqlConnection:
        """Open a new connection to the server."""
        return connect(self.server.host, self.server.port)

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows; {raw}, {cdc} and {work} stand for the schemas."""
        connection = self.connection()
        try:
            return run_sql(connection, self.named(sql))
        finally:
            connection.close()

    def named(self, sql: str) -> str:
        """Return SQL with the names of the schemas in place of {raw}, {cdc} and {work}."""
        return (
            sql.replace("{raw}", self.raw_schema)
            .replace("{cdc}", self.schema)
            .replace("{work}", self.work_schema)
        )

    def land(self, vendor: str, source: str, messages: list[Message]) -> int:
        """Land messages as one batch and return its number."""
        connection = self.connection()
        try:
            return land(
                connection,
                vendor,
                source,
                messages,
                raw_schema=self.raw_schema,
                table_format=self.server.table_format,
            ).landing_batch
        finally:
            connection.close()

    def drop_schemas(self) -> None:
        """Leave nothing behind."""
        for schema in (self.schema, self.work_schema, self.raw_schema):
            self.drop_schema(schema)

    def drop_schema(self, schema: str) -> None:
        """Drop a schema and everything in it."""
        if self.server.table_format == "iceberg" and self.query(f"show schemas like '{schema}'"):
            # Its catalog drops a schema only when nothing is in it.
            for kind in ("view", "table"):
                for _, name, *_ in self.query(f"show {kind}s in {schema}"):
                    self.query(f"drop {kind} {schema}.{name}")
        self.query(f"drop schema if exists {schema} cascade")


def copy_project(folder: Path, *overlays: Path) -> Path:
    """Copy the dbt project into a folder and lay more files over it."""
    for part in PROJECT_PARTS:
        source = REPOSITORY / part
        target = folder / part
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for overlay in overlays:
        lay_over(folder, overlay)
    return folder


def lay_over(folder: Path, overlay: Path) -> None:
    """Add files to a copy of the project."""
    for part in ("macros", "models", "seeds", "docs"):
        if (overlay / part).is_dir():
            shutil.copytree(overlay / part, folder / part, dirs_exist_ok=True)


def keep_vendors(folder: Path, *names: str) -> None:
    """Delete the folders of all other vendors from a copy of the project, so that it runs quickly."""
    for part in ("macros/vendors", "models/staging", "seeds"):
        for path in (folder / part).iterdir():
            if path.is_dir() and path.name not in (*names, "config", "expected"):
                shutil.rmtree(path)

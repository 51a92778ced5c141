"""Commands as a user runs them: processes of their own, in the folder of a project."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from cdc_changelog.client import connect, run_sql
from cdc_changelog.config import REPOSITORY, ServerConfig


@dataclass(frozen=True)
class Shell:
    """A project's folder, and the server that its commands find.

    environment: variables beside those that lead to the server; what the tests' own process has of
    dbt and of this package is left out.
    """

    folder: Path
    server: ServerConfig
    environment: dict[str, str] = field(default_factory=dict)

    def start(self, *command: str) -> subprocess.Popen[str]:
        """Start a command, in a process group of its own as a shell does."""
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DBT_", "CDC_"))
        }
        environment |= {
            # The tree that is tested, whichever one the environment has installed.
            "PYTHONPATH": str(REPOSITORY),
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
            "CDC_THRIFT_HOST": self.server.host,
            "CDC_THRIFT_PORT": str(self.server.port),
            "CDC_TABLE_FORMAT": self.server.table_format,
            "COLUMNS": "400",
            **self.environment,
        }
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
            # A shell lets what it runs in the background ignore Ctrl-C.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )

    def run(self, *command: str) -> str:
        """Run a command to its end and return what it said; it must succeed."""
        process = self.start(*command)
        said: str = process.communicate()[0]
        assert process.returncode == 0, f"{' '.join(command)}\n{said}"
        return said

    def query(self, sql: str) -> list[tuple[Any, ...]]:
        """Run one statement and return its rows."""
        connection = connect(self.server.host, self.server.port)
        try:
            return run_sql(connection, sql)
        finally:
            connection.close()

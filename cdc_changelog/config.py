"""Where things lie, and what the environment says about the server, read once."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import click

TABLE_FORMATS = ("delta", "iceberg")
PACKAGE = Path(__file__).resolve().parent
# The folder that our packages lie in: a checkout, or site-packages.
REPOSITORY = PACKAGE.parent
IS_CHECKOUT = (REPOSITORY / "dbt_project.yml").exists()
# Our dbt project, with the models and macros: the checkout itself, or the copy in the wheel.
PACKAGE_PROJECT = REPOSITORY if IS_CHECKOUT else PACKAGE / "dbt_project"


def project_folder(environment: Mapping[str, str], working_folder: Path) -> Path:
    """Return the dbt project that commands work on.

    That is what DBT_PROJECT_DIR names, else the folder that one is in, else our own project.
    """
    if environment.get("DBT_PROJECT_DIR"):
        return Path(environment["DBT_PROJECT_DIR"]).resolve()
    here = working_folder.resolve()
    return here if (here / "dbt_project.yml").exists() else PACKAGE_PROJECT


PROJECT = project_folder(os.environ, Path.cwd())
# What relative folders are relative to, so that `make` and a shell in another folder of a checkout
# mean the same place. Nothing is written into the wheel's copy.
HOME = PROJECT if PROJECT != PACKAGE_PROJECT or IS_CHECKOUT else Path.cwd()


class CdcError(click.ClickException):
    """Something a person has to put right; its text says what and how. A command ends with 1."""

    def show(self, file: IO[Any] | None = None) -> None:
        """Print the text to the error output."""
        click.echo(f"error: {self.format_message()}", file=file or sys.stderr)


@dataclass(frozen=True)
class ServerConfig:
    """Address, folders, table format, memory and sessions of one server.

    With a shared session, its clients see each other's temporary views and settings.
    """

    host: str = "127.0.0.1"
    port: int = 10000
    data_dir: Path = HOME / ".local"
    table_format: str = "delta"
    driver_memory: str = "4g"
    has_shared_session: bool = True

    @property
    def warehouse_dir(self) -> Path:
        """Folder of the tables' data."""
        return self.data_dir / "warehouse"

    @property
    def metastore_dir(self) -> Path:
        """Folder of the embedded Derby metastore; Derby creates it itself."""
        return self.data_dir / "metastore"

    @property
    def log_dir(self) -> Path:
        """Folder of every log file."""
        return self.data_dir / "logs"

    @property
    def scratch_dir(self) -> Path:
        """Folder of shuffle and Hive scratch files; safe to delete while no server runs."""
        return self.data_dir / "scratch"

    @property
    def staging_dir(self) -> Path:
        """Folder through which landing hands large files to a local server."""
        return self.data_dir / "staging"

    @property
    def lock_file(self) -> Path:
        """File locked by the one server that uses this data folder."""
        return self.data_dir / "server.lock"

    @property
    def ready_file(self) -> Path:
        """File that exists while the server accepts connections."""
        return self.data_dir / "server.ready"

    @property
    def pid_file(self) -> Path:
        """File with the process id of a server started by `cdc_changelog.server.background`."""
        return self.data_dir / "server.pid"


def config_from_environment(environment: Mapping[str, str] | None = None) -> ServerConfig:
    """Read the CDC_* variables; unset and empty ones take the defaults of ServerConfig.

    Raises CdcError with the value given and the values allowed.
    """
    given = os.environ if environment is None else environment
    port_text = given.get("CDC_THRIFT_PORT") or str(ServerConfig.port)
    if not port_text.isdecimal() or not 1 <= int(port_text) <= 65535:
        raise CdcError(f"CDC_THRIFT_PORT is {port_text!r}; expected a number from 1 to 65535.")
    table_format = given.get("CDC_TABLE_FORMAT") or ServerConfig.table_format
    if table_format not in TABLE_FORMATS:
        allowed = ", ".join(TABLE_FORMATS)
        raise CdcError(f"CDC_TABLE_FORMAT is {table_format!r}; expected one of {allowed}.")
    memory = given.get("CDC_DRIVER_MEMORY") or ServerConfig.driver_memory
    if not re.fullmatch(r"[1-9][0-9]*[kmgtKMGT]", memory):
        raise CdcError(f"CDC_DRIVER_MEMORY is {memory!r}; expected a size such as 4g or 900m.")
    shared_session = given.get("CDC_SHARED_SESSION") or "true"
    if shared_session not in ("true", "false"):
        raise CdcError(f"CDC_SHARED_SESSION is {shared_session!r}; expected true or false.")
    data_dir = Path(given.get("CDC_DATA_DIR") or ServerConfig.data_dir)
    return ServerConfig(
        host=given.get("CDC_THRIFT_HOST") or ServerConfig.host,
        port=int(port_text),
        data_dir=(HOME / data_dir.expanduser()).resolve(),
        table_format=table_format,
        driver_memory=memory,
        has_shared_session=shared_session == "true",
    )


def environment_dir(name: str) -> Path:
    """Folder `name` inside the Python environment, or in the user's cache if that is read-only."""
    prefix = Path(sys.prefix)
    if os.access(prefix, os.W_OK):
        return prefix / name
    return Path.home() / ".cache" / "cdc-changelog" / name

"""`cdc build` and `cdc run`: dbt build, or dbt run, of what has something new.

The server is asked for unread landing batches before dbt starts. Where there are none, and the
project's files are as they were at the last build, nothing is run, unless a run was killed before
it came to the rows. Where there are some, dbt leaves out what these messages cannot change: the
staging of other vendors, the seeds and what is made of the configuration alone and, in `cdc
run`, the views. After a change of the project's files dbt does everything. A plain `dbt
build` or `dbt run` does the same work, a little slower. Arguments go to dbt as they are; the next
command without them does everything, since they may have changed what views read.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import uuid
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rich.console import Console

import python_udfs
from cdc_changelog.client import SqlConnection, connect, run_sql
from cdc_changelog.config import PROJECT, CdcError, ServerConfig, config_from_environment
from cdc_changelog.lock import give_back_lock
from cdc_changelog.project import (
    NAME,
    dbt_command,
    dbt_environment,
    models_folder,
    project_vars,
    specs,
    work_schema,
)

# Files that decide what is built: of a project and of our models in it.
PROJECT_FILES = (
    "dbt_project.yml",
    "packages.yml",
    "profiles.yml",
    "profiles",
    "macros",
    "models",
    "seeds",
    "snapshots",
)
OUR_FILES = ("dbt_project.yml", "macros", "models", "seeds/config", "profiles")
# What `cdc run` and `cdc build` ask of dbt. A build's data tests look at the public views.
DBT = {"build": dbt_command("build"), "run": dbt_command("run")}
MADE_OF_CONFIGURATION = (
    "resource_type:seed",
    "run_configuration",
    "run_configuration_changes",
    "run_configuration_contradictions",
    "run_table_settings",
)
ALL_VIEWS = "config.materialized:view"
PUBLIC_VIEWS = f"fqn:{NAME}.marts,{ALL_VIEWS}"
CONSOLE = Console(highlight=False)
SECONDS_TO_END = 30  # that dbt has after Ctrl-C
# Kept with the table that holds the configuration: the files that the warehouse was built from.
FINGERPRINT = "cdc.project"


def project_fingerprint(root: Path) -> str:
    """Return a hash of the files that a project is made of, ours among them."""
    ours = models_folder(root)
    parts = [(ours, part) for part in OUR_FILES]
    parts += [(root, part) for part in PROJECT_FILES if root != ours]
    parts.append((Path(python_udfs.__file__).parent, "."))
    digest = hashlib.sha256()
    for folder, part in parts:
        path = folder / part
        files = [path] if path.is_file() else sorted(path.rglob("*"))
        for file in files:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(f"\n{file.relative_to(folder)}\n".encode() + file.read_bytes())
    return digest.hexdigest()


def raw_tables(root: Path, vendors: list[str]) -> dict[str, str]:
    """Return the relation of each vendor's raw messages, as the project's vars name it."""
    variables = project_vars(root)
    schema, named = variables["cdc_raw_schema"], variables["cdc_raw_tables"]
    return {vendor: named.get(vendor, f"{schema}.{vendor}") for vendor in vendors}


def unread_vendors(connection: SqlConnection, raw: dict[str, str], work: str) -> list[str]:
    """Return the vendors with landing batches that the event store does not hold.

    A batch that an operator has set aside is none. `raw` has the relation of each vendor's
    messages; `work` is the schema of the event store. Raises LandingError if the server does not
    answer.
    """
    landed = "".join(
        f"select '{vendor}' as vendor, landing_batch, false as is_read from {relation} union all "
        for vendor, relation in raw.items()
    )
    has_log = run_sql(connection, f"show tables in {work} like 'int_batch_log'")
    set_aside = (
        f" union all select vendor, landing_batch, true as is_read from {work}.int_batch_log"
        " group by vendor, landing_batch having max_by(event, noted_at) = 'set aside'"
    )
    rows = run_sql(
        connection,
        "select distinct vendor from ("
        f"{landed} select vendor, landing_batch, true as is_read from {work}.int_events"
        f"{set_aside if has_log else ''}"
        ") as batches group by vendor, landing_batch having not any(is_read) order by vendor",
    )
    return [vendor for (vendor,) in rows]


def is_behind(connection: SqlConnection, work: str) -> bool:
    """Return whether row versions lack changes that are stored, as after a run that was killed.

    Where only whole transactions are shown, changes that wait for an end count too: dbt then runs.
    Raises LandingError if the server does not answer.
    """
    rows = run_sql(
        connection,
        f"select (select max(load_number) from {work}.int_events"
        " where status = 'change' and row_id is not null)"
        f" > (select coalesce(max(load_number), 0) from {work}.int_row_versions)",
    )
    return bool(rows[0][0])


def vendors_to_read(connection: SqlConnection, raw: dict[str, str], work: str) -> list[str] | None:
    """Return the vendors with unread landing batches; None where a run would find nothing to do.

    The list is empty where stored changes alone are left. Raises LandingError if the server does
    not answer.
    """
    unread = unread_vendors(connection, raw, work)
    return unread if unread or is_behind(connection, work) else None


def left_out(
    command: str, vendors: list[str], unread: list[str], views: str = ALL_VIEWS
) -> list[str]:
    """Return dbt's selectors of what new messages of the `unread` vendors cannot change.

    `views` selects those that a run without data tests leaves out.
    """
    idle = [f"fqn:{NAME}.staging.{vendor}" for vendor in vendors if vendor not in unread]
    return [*idle, *MADE_OF_CONFIGURATION, *([views] if command == "run" else [])]


def _built_from(connection: SqlConnection, work: str) -> str | None:
    if not run_sql(connection, f"show schemas like '{work}'"):
        return None
    if not run_sql(connection, f"show tables in {work} like 'run_configuration'"):
        return None
    shown = run_sql(connection, f"show tblproperties {work}.run_configuration ('{FINGERPRINT}')")
    return str(shown[0][1])


def _what_to_leave_out(command: str, config: ServerConfig, fingerprint: str) -> list[str] | None:
    """Return dbt's selectors: none after a change of the project; None for no run at all."""
    vendors, work = [spec["name"] for spec in specs()], work_schema()
    with closing(connect(config.host, config.port)) as connection:
        if _built_from(connection, work) != fingerprint:
            CONSOLE.print("New here, changed, or last run with ARGS: everything is built.")
            return []
        unread = vendors_to_read(connection, raw_tables(PROJECT, vendors), work)
    if unread is None:
        CONSOLE.print("Nothing new: the event store holds every landing batch.")
        return None
    if unread:
        CONSOLE.print(f"New messages of {', '.join(unread)}.")
    else:
        CONSOLE.print("No new messages; rows are built from stored changes.")
    # A relation of cdc_raw_tables may have been created since: views must be rebuilt to read it.
    views = PUBLIC_VIEWS if project_vars()["cdc_raw_tables"] else ALL_VIEWS
    return left_out(command, vendors, unread, views)


def _note_built_from(config: ServerConfig, fingerprint: str) -> None:
    work = work_schema()
    with closing(connect(config.host, config.port)) as connection:
        if _built_from(connection, work) is not None:
            run_sql(
                connection,
                f"alter table {work}.run_configuration"
                f" set tblproperties ('{FINGERPRINT}' = '{fingerprint}')",
            )


def _call(command: list[str], environment: dict[str, str]) -> int:
    """Run a command to its end and show what it says; what it says of a Ctrl-C is not shown."""
    with subprocess.Popen(
        command,
        cwd=PROJECT,
        env=dbt_environment() | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as process:
        try:
            for line in process.stdout or ():
                sys.stdout.buffer.write(line)
                sys.stdout.buffer.flush()
            return process.wait()
        except KeyboardInterrupt:
            # dbt has heard it too, ends the statement that runs, and says so with a stack trace.
            try:
                process.communicate(timeout=SECONDS_TO_END)
            except (KeyboardInterrupt, subprocess.TimeoutExpired):
                process.terminate()
            raise


def _run_steps(steps: list[list[str]], config: ServerConfig) -> int:
    """Run dbt once for each step, under one lock; return the exit code of the last one that ran."""
    run_name = f"make-{uuid.uuid4()}"
    is_interrupted = False
    try:
        for step in steps:
            goes_on = "1" if step is not steps[-1] else ""
            code = _call(step, {"CDC_RUN": run_name, "CDC_RUN_GOES_ON": goes_on})
            if code:
                return code
        return 0
    except KeyboardInterrupt:
        is_interrupted = True
        raise
    finally:
        give_back_lock(config, run_name, is_interrupted)


def install_packages() -> None:
    """Let dbt install the packages of a project that names some, before the first command.

    Raises CdcError if it fails.
    """
    if (PROJECT / "packages.yml").exists() and not (PROJECT / "dbt_packages").is_dir():
        CONSOLE.print("Installing the project's packages (dbt deps) …")
        if _call(dbt_command("deps", "--quiet"), {}):
            raise CdcError(f"dbt deps failed in {PROJECT}; its own words are above.")


def build_what_is_new(command: str, arguments: Sequence[str] = ()) -> int:
    """Do what `cdc build` or `cdc run` has to do; return dbt's exit code, 130 after Ctrl-C.

    Raises CdcError if no server answers.
    """
    config, fingerprint = config_from_environment(), project_fingerprint(PROJECT)
    dbt = [*DBT[command], "--exclude", "test_type:unit"]
    try:
        install_packages()
        if arguments:
            # They may change what views read: the next command builds everything.
            _note_built_from(config, "the project with arguments")
            return _run_steps([[*dbt, *arguments]], config)
        excluded = _what_to_leave_out(command, config, fingerprint)
        if excluded is None:
            return 0
        if excluded:
            return _run_steps([[*dbt, *excluded]], config)
        # Should this build fail, the next command does everything again.
        _note_built_from(config, "a build that did not come to its end")
        code = _run_steps([*([dbt_command("seed")] if command == "run" else []), dbt], config)
        if not code:
            _note_built_from(config, fingerprint)
        return code
    except KeyboardInterrupt:
        CONSOLE.print("Interrupted. The lock is free, and the next run makes up for this one.")
        return 130

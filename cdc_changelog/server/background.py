"""A server that outlives its command: `python -m cdc_changelog.server.background start`."""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cdc_changelog.config import REPOSITORY, CdcError, ServerConfig, config_from_environment
from cdc_changelog.server.locks import free_port, process_is_alive
from cdc_changelog.server.logs import tail
from cdc_changelog.server.ready import answers, wait_until_ready

START_TIMEOUT_SECONDS = 900.0  # the first start downloads jars, and perhaps Java
STOP_TIMEOUT_SECONDS = 40.0


def _record(config: ServerConfig) -> dict[str, Any] | None:
    """Return the ready file of a running server of this data folder, None if there is none."""
    try:
        record = json.loads(config.ready_file.read_text())
    except (OSError, ValueError):
        return None
    if not isinstance(record, dict) or not process_is_alive(int(record["pid"])):
        return None
    return record


def _is_our_server(pid: int) -> bool:
    """Return whether a process is a server: process ids are used again after a reboot."""
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes()
    except OSError:
        # No /proc (macOS): ask ps.
        answer = subprocess.run(
            ["ps", "-o", "command=", "-p", str(pid)], capture_output=True, check=False
        )
        command = answer.stdout
    return b"cdc_changelog.server.serve" in command or b"cdc_changelog/server/serve.py" in command


def running_pid(config: ServerConfig) -> int | None:
    """Return the process id of the server of this data folder, starting ones included."""
    record = _record(config)
    if record is not None and _is_our_server(int(record["pid"])):
        return int(record["pid"])
    try:
        pid = int(config.pid_file.read_text())
    except (OSError, ValueError):
        return None
    return pid if process_is_alive(pid) and _is_our_server(pid) else None


def log_path(config: ServerConfig) -> Path:
    """Return the file with what the detached server prints."""
    return config.log_dir / "background.log"


def start(config: ServerConfig, timeout_seconds: float = START_TIMEOUT_SECONDS) -> float:
    """Start a detached server and return the seconds until it answered; 0 if one was running.

    Raises CdcError with the last lines of its log when it does not come up.
    """
    pid = running_pid(config)
    if pid is not None:
        record = _record(config)
        if record is not None and (record["host"], record["port"]) != (config.host, config.port):
            raise CdcError(
                f"The server of {config.data_dir} (process {pid}) listens on"
                f" {record['host']}:{record['port']}, not on {config.host}:{config.port}."
            )
        if record is not None and record["table_format"] != config.table_format:
            raise CdcError(
                f"The server of {config.data_dir} (process {pid}) has {record['table_format']}"
                f" tables, not {config.table_format}."
            )
        return wait_until_ready(config, timeout_seconds)
    config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
    config.log_dir.mkdir(parents=True, exist_ok=True)
    environment = {
        **os.environ,
        "CDC_THRIFT_HOST": config.host,
        "CDC_THRIFT_PORT": str(config.port),
        "CDC_DATA_DIR": str(config.data_dir),
        "CDC_TABLE_FORMAT": config.table_format,
        "CDC_DRIVER_MEMORY": config.driver_memory,
        "CDC_SHARED_SESSION": "true" if config.has_shared_session else "false",
    }
    with log_path(config).open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "cdc_changelog.server.serve"],
            cwd=REPOSITORY,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            # A session of its own: Ctrl-C in the terminal is not meant for it.
            start_new_session=True,
        )
    config.pid_file.write_text(str(process.pid))

    def has_failed() -> str | None:
        code = process.poll()
        if code is None:
            return None
        return f"The server ended (code {code}). Its last lines:\n{tail(log_path(config))}"

    try:
        waited = wait_until_ready(config, timeout_seconds, has_failed)
        # A stranger's server may have answered on that port while ours found it taken.
        reason = has_failed()
        if reason is not None:
            raise CdcError(reason)
    except BaseException:
        if process.poll() is None:
            process.terminate()
        config.pid_file.unlink(missing_ok=True)
        raise
    return waited


def stop(config: ServerConfig) -> bool:
    """Stop the server of this data folder; return whether there was one.

    Raises CdcError if it does not end.
    """
    pid = running_pid(config)
    if pid is None:
        config.pid_file.unlink(missing_ok=True)
        return False
    os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + STOP_TIMEOUT_SECONDS
    while process_is_alive(pid):
        if time.monotonic() > deadline:
            raise CdcError(f"Process {pid} did not end within {STOP_TIMEOUT_SECONDS:g} s.")
        time.sleep(0.1)
    config.pid_file.unlink(missing_ok=True)
    return True


def status_text(config: ServerConfig) -> str:
    """Return one line about the server of this data folder."""
    pid = running_pid(config)
    if pid is None:
        return f"No server runs on {config.data_dir}."
    record = _record(config)
    if record is None:
        return f"A server on {config.data_dir} is starting (process {pid})."
    state = "answers" if answers(config) else "does not answer"
    return f"Process {pid} on {record['host']}:{record['port']} {state} ({config.data_dir})."


def port_to_use(config: ServerConfig) -> int:
    """Return the port of the server that runs on this data folder, else one that is free."""
    record = _record(config) if running_pid(config) is not None else None
    return free_port() if record is None else int(record["port"])


@contextlib.contextmanager
def running_server(config: ServerConfig) -> Iterator[ServerConfig]:
    """Have a server for the length of a block: one that runs already stays, ours is stopped."""
    was_running = running_pid(config) is not None
    start(config)
    try:
        yield config
    finally:
        if not was_running:
            stop(config)


PROGRAM = "python -m cdc_changelog.server.background"


def main() -> int:
    """Run `python -m cdc_changelog.server.background start|stop|status|port`."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    parser.add_argument("action", choices=["start", "stop", "status", "port"])
    parser.add_argument("--timeout", type=float, default=START_TIMEOUT_SECONDS, metavar="SECONDS")
    arguments = parser.parse_args()
    try:
        config = config_from_environment()
        if arguments.action == "port":
            print(port_to_use(config))
        elif arguments.action == "start":
            waited = start(config, arguments.timeout)
            print(f"The server on {config.host}:{config.port} answers ({waited:.1f} s).")
        elif arguments.action == "stop":
            print("The server stopped." if stop(config) else "No server was running.")
        else:
            print(status_text(config))
            return 0 if running_pid(config) is not None else 1
    except CdcError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

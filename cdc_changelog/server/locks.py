"""Checks before Spark starts: is the port free, is the data folder ours alone."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import socket
import struct
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from cdc_changelog.config import CdcError, ServerConfig

OLD_JVM_SECONDS = 30.0


def process_is_alive(pid: int) -> bool:
    """Return whether a process runs; one that ended but was not collected (a zombie) does not."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return True
    return state not in ("Z", "X")


def check_port_is_free(config: ServerConfig) -> None:
    """Raise CdcError if nothing can listen on the configured address."""
    family = socket.AF_INET6 if ":" in config.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        # As the server does: a port in TIME_WAIT of an earlier server is free.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((config.host, config.port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CdcError(
                    f"Port {config.port} on {config.host} is taken by another process."
                    " Stop it, or choose another port: CDC_THRIFT_PORT=10001 cdc serve"
                ) from error
            raise CdcError(
                f"Cannot listen on {config.host}:{config.port} ({error.strerror})."
                " See CDC_THRIFT_HOST and CDC_THRIFT_PORT."
            ) from error


def free_port() -> int:
    """Return a port of 127.0.0.1 that nothing listens on at this moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def posix_lock_holder(path: Path) -> int | None:
    """Return the process that holds a POSIX lock on a file, None if none does.

    Derby's JVM holds one on `dbex.lck`. Only Linux's layout of the call is known here; elsewhere
    Derby's own message has to do.
    """
    if sys.platform != "linux" or not path.exists():
        return None
    layout = "hhqqi"
    question = struct.pack(layout, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    try:
        with path.open("r+b") as file:
            kind, _, _, _, pid = struct.unpack(layout, fcntl.fcntl(file, fcntl.F_GETLK, question))
    except OSError:
        return None
    return None if kind == fcntl.F_UNLCK else int(pid)


@dataclass
class DataDirLock:
    """The right to use a data folder, held by the operating system for as long as we live.

    The kernel drops the lock with its process, so a lock left by a killed server is never in
    the way.
    """

    path: Path
    _file: TextIO

    @classmethod
    def take(cls, config: ServerConfig) -> DataDirLock:
        """Lock the data folder.

        Raises CdcError that names the process using it, as far as it can be known.
        """
        config.data_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        file = config.lock_file.open("a+")
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            owner = _read_owner(config.lock_file)
            file.close()
            raise _in_use(config, owner.get("pid"), owner.get("port")) from error
        lock = cls(path=config.lock_file, _file=file)
        try:
            _wait_for_derby(config)
        except CdcError:
            lock.release()
            raise
        lock.write_owner(config)
        return lock

    def write_owner(self, config: ServerConfig) -> None:
        """Write who holds the lock, for the message of the next process that asks for it."""
        self._file.seek(0)
        self._file.truncate()
        json.dump({"pid": os.getpid(), "host": config.host, "port": config.port}, self._file)
        self._file.flush()

    def release(self) -> None:
        """Give the folder back. The file stays: removing it would race with the next taker."""
        self._file.close()

    def __enter__(self) -> DataDirLock:
        """Return the lock itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Release the lock."""
        self.release()


def _read_owner(path: Path) -> dict[str, Any]:
    try:
        owner = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return owner if isinstance(owner, dict) else {}


def _in_use(config: ServerConfig, pid: object, port: object = None) -> CdcError:
    who = f"process {pid}" if pid else "another process"
    where = f" (a server on port {port})" if port else ""
    return CdcError(
        f"The metastore in {config.data_dir} is in use by {who}{where}. Use that server, stop it,"
        " or give this one its own folder: CDC_DATA_DIR=<folder> cdc serve"
    )


def _wait_for_derby(config: ServerConfig) -> None:
    """Wait for the Java of a killed server to end; it notices within a second or two.

    Raises CdcError if the metastore's lock is not given up.
    """
    deadline = time.monotonic() + OLD_JVM_SECONDS
    previous = _read_owner(config.lock_file).get("pid")
    dead_server = isinstance(previous, int) and not process_is_alive(previous)
    while (holder := posix_lock_holder(config.metastore_dir / "dbex.lck")) is not None:
        if not dead_server or time.monotonic() > deadline:
            raise _in_use(config, holder)
        time.sleep(0.2)

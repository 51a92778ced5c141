"""Wait until the Thrift server answers: `python -m cdc_changelog.server.ready --timeout 120`."""

from __future__ import annotations

import argparse
import socket
import sys
import time
from collections.abc import Callable

from cdc_changelog.config import CdcError, ServerConfig, config_from_environment

POLL_SECONDS = 0.25


def answers(config: ServerConfig) -> bool:
    """Return whether the server at the configured address answers `select 1`."""
    from pyhive import hive
    from pyhive.exc import Error
    from thrift.Thrift import TException

    try:
        # The Thrift library logs every refused connection; a plain probe is silent.
        socket.create_connection((config.host, config.port), timeout=5).close()
        connection = hive.connect(host=config.host, port=config.port)
        try:
            cursor = connection.cursor()
            cursor.execute("select 1")
            return bool(cursor.fetchone() == (1,))
        finally:
            connection.close()
    except (TException, Error, OSError, EOFError):
        # Nothing listens yet, or the listener is not ready to open sessions.
        return False


def wait_until_ready(
    config: ServerConfig,
    timeout_seconds: float,
    has_failed: Callable[[], str | None] = lambda: None,
) -> float:
    """Return the seconds waited until the server answered.

    `has_failed` returns why waiting is in vain, or None. Raises CdcError then, and when the
    time is up.
    """
    began = time.monotonic()
    while not answers(config):
        reason = has_failed()
        if reason is not None:
            raise CdcError(reason)
        if time.monotonic() - began > timeout_seconds:
            raise CdcError(
                f"No Thrift server answered on {config.host}:{config.port} within"
                f" {timeout_seconds:g} s. Start one with `cdc serve`; see CDC_THRIFT_HOST and"
                " CDC_THRIFT_PORT."
            )
        time.sleep(POLL_SECONDS)
    return time.monotonic() - began


PROGRAM = "python -m cdc_changelog.server.ready"


def main() -> int:
    """Run `python -m cdc_changelog.server.ready`."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    parser.add_argument("--timeout", type=float, default=120.0, metavar="SECONDS")
    arguments = parser.parse_args()
    try:
        config = config_from_environment()
        wait_until_ready(config, arguments.timeout)
    except CdcError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"The server on {config.host}:{config.port} answers.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

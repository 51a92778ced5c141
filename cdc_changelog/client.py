"""The SQL client: a connection to the Thrift server, and one statement at a time."""

from __future__ import annotations

import base64
import contextlib
import random
import re
import time
from typing import Any, Protocol

from cdc_changelog.config import CdcError

ATTEMPTS = 5
# What the server says where two clients were in each other's way.
IN_THE_WAY = re.compile(
    r"Block rdd_\w+ does not exist|already ?exists|ALREADY_EXISTS|NON_EMPTY_LOCATION|concurrent",
    re.I,
)


class ServerError(CdcError):
    """No server answers, or a statement failed in it; the text has the server's own words."""


class SqlConnection(Protocol):
    """The part of a PyHive connection used here."""

    def cursor(self) -> Any:
        """Return a DB-API cursor."""

    def close(self) -> None:
        """End the session."""


class Connection:
    """A PyHive connection that raises no error when it is closed: all is done by then.

    The server fails to end a session while another client drops a temporary view.
    """

    def __init__(self, connection: SqlConnection) -> None:
        """Take over an open connection."""
        self.connection = connection

    def cursor(self) -> Any:
        """Return a DB-API cursor."""
        return self.connection.cursor()

    def close(self) -> None:
        """End the session."""
        from pyhive.exc import Error

        with contextlib.suppress(Error):
            self.connection.close()


def connect(host: str, port: int) -> Connection:
    """Open a connection.

    Raises ServerError if no server listens there.
    """
    from pyhive import hive
    from thrift.transport.TTransport import TTransportException

    try:
        return Connection(hive.connect(host=host, port=port))
    except (TTransportException, OSError) as error:
        raise ServerError(
            f"No Thrift server on {host}:{port}; start one with `cdc serve`, or set"
            " CDC_THRIFT_HOST and CDC_THRIFT_PORT."
        ) from error


def run_sql(connection: SqlConnection, sql: str) -> list[tuple[Any, ...]]:
    """Run one statement and return its rows.

    Raises ServerError with the server's own first line.
    """
    from pyhive.exc import Error

    cursor = connection.cursor()
    try:
        cursor.execute(sql)
        return [tuple(row) for row in cursor.fetchall()] if cursor.description else []
    except Error as error:
        raise ServerError(f"The server failed: {server_message(error)}") from error
    finally:
        cursor.close()


def run_repeatable(connection: SqlConnection, sql: str) -> list[tuple[Any, ...]]:
    """Run a statement that may be run twice, again where another client was in its way.

    Two clients that create one table at the same moment fail each other, and Delta forgets what it
    has read of a table's log while another client still reads it. Raises ServerError if it fails
    each time.
    """
    for attempt in range(ATTEMPTS):
        try:
            return run_sql(connection, sql)
        except ServerError as error:
            if not may_repeat(attempt, error):
                raise
            wait_before_repeating(attempt)
    raise AssertionError("unreachable")


def may_repeat(attempt: int, error: ServerError) -> bool:
    """Return whether a statement failed because of another client, and may be tried once more."""
    return attempt < ATTEMPTS - 1 and IN_THE_WAY.search(str(error)) is not None


def wait_before_repeating(attempt: int) -> None:
    """Wait a moment that differs between clients and grows with each attempt."""
    time.sleep(random.uniform(0.1, 0.5) * (attempt + 1))


def server_message(error: Exception) -> str:
    """Return the first line of what Spark said, without the Thrift answer around it."""
    status = getattr(error.args[0], "status", None) if error.args else None
    text = getattr(status, "errorMessage", None) or str(error)
    return str(text).strip().splitlines()[0] if str(text).strip() else type(error).__name__


def sql_literal(text: str) -> str:
    """Return a SQL expression for any text, with nothing in it that SQL could read otherwise."""
    return f"cast(unbase64('{base64.b64encode(text.encode()).decode()}') as string)"

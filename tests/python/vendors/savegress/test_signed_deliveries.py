"""Signed deliveries by webhook, read on servers that give each client a session of its own."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from cdc_changelog.config import ServerConfig
from cdc_changelog.landing.bodies import Message
from python_udfs.savegress.webhook_signature import SECRET_VARIABLE
from tests.python.helpers.dbt_project import DbtError, DbtProject, copy_project, keep_vendors
from tests.python.helpers.servers import server_with_private_sessions

# It starts a server of its own.
pytestmark = pytest.mark.slow

SECRET = "a secret of two"


@pytest.fixture(scope="module")
def server_with_secret(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerConfig]:
    """A server that knows the secret of the webhook."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv(SECRET_VARIABLE, SECRET)
        with server_with_private_sessions(tmp_path_factory.mktemp("with_secret")) as config:
            yield config


def _delivery(number: int, secret: str) -> Message:
    row = {"id": number, "name": "Diana"}
    event = {"id": f"evt-{number}", "operation": "INSERT", "schema": "public", "table": "users"}
    body = json.dumps(event | {"timestamp": "2025-01-15T10:30:00Z", "after": row})
    signature = "sha256=" + hmac.new(secret.encode(), body.encode(), hashlib.sha256).hexdigest()
    return Message(body, headers={"X-Savegress-Signature": signature})


def _project(folder: Path, server: ServerConfig, name: str, **variables: object) -> DbtProject:
    copy_project(folder)
    keep_vendors(folder, "savegress")
    tables = folder / "seeds" / "config" / "cdc_tables.csv"
    columns = tables.read_text().splitlines()[0].split(",")
    line = {"vendor": "savegress", "source": "shop", "table_name": "users", "key_columns": "id"}
    tables.write_text(
        tables.read_text().rstrip("\n")
        + "\n"
        + ",".join(line.get(column, "") for column in columns)
        + "\n"
    )
    needed = {"cdc_lock_in": "table", "cdc_savegress_signed_sources": ["shop"]}
    project = DbtProject(folder, server, name, needed | variables)
    project.dbt("seed")
    deliveries = [_delivery(1, SECRET), _delivery(2, "another secret")]
    project.land("savegress", "shop", deliveries)
    return project


def test_a_delivery_with_a_wrong_signature_is_rejected(
    server_with_secret: ServerConfig, tmp_path: Path
) -> None:
    project = _project(tmp_path / "signed", server_with_secret, "cdc_signed")
    project.dbt("run")
    assert project.query("select row_key from {cdc}.cdc_changelog") == [('["1"]',)]
    assert project.query("select reason from {cdc}.cdc_rejected_messages") == [("BAD_SIGNATURE",)]


def test_a_source_that_must_be_signed_is_not_read_where_no_function_is_called(
    server_with_secret: ServerConfig, tmp_path: Path
) -> None:
    project = _project(
        tmp_path / "in_sql", server_with_secret, "cdc_signed_sql", cdc_functions_in="sql"
    )
    with pytest.raises(DbtError, match="no signature is checked with cdc_functions_in: sql"):
        project.dbt("run")

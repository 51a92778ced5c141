"""Where a decoder finds the Avro schema of a body: metadata messages, a folder, a schema registry.

Metadata messages come with the data. What they give is kept in `<raw schema>._avro_schemas`, so
that data messages which come with a later start are read too.
"""

from __future__ import annotations

import base64
import json
import os
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import quote, urlsplit

from cdc_changelog.client import SqlConnection, run_sql, sql_literal
from cdc_changelog.landing.bodies import LandingError
from cdc_changelog.landing.raw_tables import check_name

REGISTRY_USER = "CDC_SCHEMA_REGISTRY_USER"
TIMEOUT_SECONDS = 30
SchemaOf = Callable[[str | None], str]


class SchemaPlace(Protocol):
    """Where schemas lie that no message brings along."""

    def schema(self, schema_id: str | None, topic: str) -> str:
        """Return the schema of an id, or of a topic whose bodies name none.

        Raises LookupError where there is none, LandingError where the place cannot be asked.
        """


@dataclass(frozen=True)
class SchemaFolder:
    """Files `<schema id>.avsc` and `<topic>.avsc`."""

    path: Path

    def schema(self, schema_id: str | None, topic: str) -> str:
        """Read a file; an id out of a foreign body leads to no other folder."""
        file = self.path / f"{quote(schema_id or topic, safe='')}.avsc"
        if not file.is_file():
            raise LookupError(f"there is no {file.name} in {self.path}")
        return file.read_text()


@dataclass(frozen=True)
class SchemaRegistry:
    """A registry with Confluent's REST interface; `user` is `name:password`, or empty."""

    url: str
    user: str = field(default="", repr=False)

    def schema(self, schema_id: str | None, topic: str) -> str:
        """Ask by id, or for the newest schema of the subject `<topic>-value`."""
        by_topic = f"subjects/{quote(topic, safe='')}-value/versions/latest"
        path = by_topic if schema_id is None else f"schemas/ids/{quote(schema_id, safe='')}"
        request = urllib.request.Request(f"{self.url.rstrip('/')}/{path}")
        if self.user:
            user = base64.b64encode(self.user.encode()).decode()
            request.add_header("Authorization", f"Basic {user}")
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as answer:
                return str(json.load(answer)["schema"])
        except urllib.error.HTTPError as error:
            if error.code == 404:
                raise LookupError(f"the registry has no {path}") from error
            raise LandingError(f"The schema registry did not give {path}: {error}") from error
        except (OSError, ValueError, KeyError) as error:
            raise LandingError(f"No answer of the schema registry on {path}: {error}") from error


def schema_place(text: str) -> SchemaPlace:
    """Return the folder or the registry that a command line names."""
    url = urlsplit(text)
    if url.scheme in ("http", "https"):
        if "@" in url.netloc:
            raise LandingError(f"{REGISTRY_USER} holds name:password, the URL does not.")
        return SchemaRegistry(text, os.environ.get(REGISTRY_USER, ""))
    if not Path(text).is_dir():
        raise LandingError(f"schemas is {text!r}; expected a folder, or the URL of a registry.")
    return SchemaFolder(Path(text))


@dataclass
class Schemas:
    """The schemas of one feed: those of its metadata messages, and those of a place."""

    known: Mapping[str, str] = field(default_factory=dict)
    place: SchemaPlace | None = None
    asked: dict[tuple[str | None, str], str | LookupError] = field(default_factory=dict)

    def of(self, topic: str) -> SchemaOf:
        """Return what finds the schema of an id, or of this topic; each is asked for once."""
        return lambda schema_id: self._schema(schema_id, topic)

    def _schema(self, schema_id: str | None, topic: str) -> str:
        if schema_id is not None and schema_id in self.known:
            return self.known[schema_id]
        asked = (schema_id, "" if schema_id else topic)
        if asked not in self.asked:
            try:
                if self.place is None:
                    raise LookupError(f"no schema is known of {schema_id or topic}")
                self.asked[asked] = self.place.schema(schema_id, topic)
            except LookupError as error:
                self.asked[asked] = error
        answer = self.asked[asked]
        if isinstance(answer, LookupError):
            raise answer
        return answer


class SchemaTable:
    """The schemas that metadata messages of a vendor and a source gave; rows are only added."""

    def __init__(self, raw_schema: str, vendor: str, source: str) -> None:
        """Name the table; nothing is created yet."""
        self.table = f"{check_name('raw schema', raw_schema)}._avro_schemas"
        self.scope = f"{sql_literal(vendor)}, {sql_literal(source)}"

    def create(self, connection: SqlConnection, table_format: str) -> None:
        """Create the table where missing."""
        columns = "vendor string, source string, schema_id string, schema string"
        run_sql(
            connection, f"create table if not exists {self.table} ({columns}) using {table_format}"
        )

    def read(self, connection: SqlConnection) -> dict[str, str]:
        """Return all schemas by id."""
        rows = run_sql(
            connection,
            f"select schema_id, schema from {self.table} where (vendor, source) = ({self.scope})",
        )
        return {schema_id: schema for schema_id, schema in rows}

    def add(self, connection: SqlConnection, schemas: Mapping[str, str]) -> None:
        """Keep schemas, in one commit."""
        rows = ", ".join(
            f"({self.scope}, {sql_literal(schema_id)}, {sql_literal(schema)})"
            for schema_id, schema in schemas.items()
        )
        run_sql(connection, f"insert into {self.table} values {rows}")

"""Avro records: their schemas, and reading those that stand alone in a body."""

from __future__ import annotations

import io
import json
from importlib import resources
from typing import Any

from fastavro import parse_schema, schemaless_reader

WIRE_FORMAT = b"\x00"


def schema_file(package: str, name: str) -> Any:
    """Return the parsed schema of a file that lies beside the modules of a package."""
    return parse_schema(json.loads(resources.files(package).joinpath(name).read_text()))


def read_record(schema: Any, body: bytes) -> dict[str, Any]:
    """Return the record of a body; `schema` is parsed. Raises ValueError where bytes follow it."""
    stream = io.BytesIO(body)
    record = schemaless_reader(stream, schema, None)
    if rest := stream.read():
        raise ValueError(f"{len(rest)} bytes follow the {schema['name']}")
    assert isinstance(record, dict)
    return record


def without_wire_format(body: bytes) -> tuple[str | None, bytes]:
    """Return the schema id, if a body has Confluent's wire format, and the bytes of the record."""
    if body[:1] != WIRE_FORMAT:
        return None, body
    return str(int.from_bytes(body[1:5], "big")), body[5:]

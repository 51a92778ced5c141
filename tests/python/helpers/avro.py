"""Writes Avro records as a body holds them: one, without a container."""

from __future__ import annotations

import io
from typing import Any

from fastavro import schemaless_writer


def write_avro(schema: Any, record: dict[str, Any]) -> bytes:
    """Return the bytes of a record; `schema` may be parsed."""
    stream = io.BytesIO()
    schemaless_writer(stream, schema, record)
    return stream.getvalue()


def record_schema(record_name: str, /, **fields: Any) -> dict[str, Any]:
    """Return the schema of a record, from the types of its fields."""
    return {
        "type": "record",
        "name": record_name,
        "fields": [{"name": field, "type": kind} for field, kind in fields.items()],
    }

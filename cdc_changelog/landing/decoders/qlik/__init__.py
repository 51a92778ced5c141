"""Messages of Qlik Replicate in Avro.

Source: "The Replicate envelope" (its schema, here envelope.avsc), "Metadata and data messages"
(their fields), and "Supported data types" (JSON beside Avro). A metadata message brings its own
schema along, and in `dataSchema` that of the data messages which name its `schemaId`. A message
without the envelope comes in Confluent's wire format, or has the schema of its topic.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date, datetime, time
from decimal import Decimal
from functools import lru_cache
from typing import Any

from fastavro import parse_schema

from cdc_changelog.landing.decoders.avro_records import (
    read_record,
    schema_file,
    without_wire_format,
)

MAGIC = b"atMSG"
ENVELOPE = schema_file(__package__, "envelope.avsc")


@lru_cache(maxsize=1000)
def _parsed(schema: str) -> Any:
    return parse_schema(json.loads(schema))


def _as_sent(value: Any) -> Any:
    """Return a value as the vendor's JSON has it: hexadecimal bytes; numerics and times as text."""
    match value:
        case dict():
            return {name: _as_sent(of) for name, of in value.items()}
        case list():
            return [_as_sent(item) for item in value]
        case bytes():
            return value.hex().upper()
        case Decimal():
            text = f"{value:f}"
            return text.rstrip("0").rstrip(".") if "." in text else text
        case datetime():
            return value.replace(tzinfo=None).isoformat(" ", "microseconds")
        case date() | time():
            return value.isoformat()
    return value


def _read_bare(
    body: bytes, schema_of: Callable[[str | None], str]
) -> tuple[str | None, dict[str, Any]]:
    """Return the schema id and the record of a body without the envelope."""
    schema_id, record = without_wire_format(body)
    try:
        schema = schema_of(schema_id)
    except LookupError as unknown:
        # A record whose first column is null begins like the wire format.
        schema_id, record = None, body
        try:
            schema = schema_of(None)
        except LookupError:
            raise unknown from None
    return schema_id, read_record(_parsed(schema), record)


def decode_avro(body: bytes, schema_of: Callable[[str | None], str]) -> tuple[str, dict[str, str]]:
    """Return a message as the vendor's JSON, and its schema id; else raise ValueError."""
    sent: dict[str, Any]
    if body.startswith(MAGIC):
        envelope = read_record(ENVELOPE, body)
        schema_id = envelope["messageSchemaId"]
        schema = envelope["messageSchema"] or schema_of(schema_id)
        # The schema of the message describes its bytes, of which nothing is left in JSON.
        sent = envelope | {"magic": MAGIC.decode(), "messageSchema": None}
        sent["message"] = _as_sent(read_record(_parsed(schema), envelope["message"]))
    else:
        schema_id, record = _read_bare(body, schema_of)
        sent = _as_sent(record)
    text = json.dumps(sent, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text, {"schema-id": schema_id} if schema_id else {}


def schema_in(text: str) -> tuple[str, str] | None:
    """Return the id and the Avro schema that a metadata message gives; None for any other JSON."""
    try:
        sent = json.loads(text)
        message = sent["message"] if sent.get("message") else sent
        schema_id, schema = message.get("schemaId"), message.get("dataSchema")
    except (ValueError, AttributeError):
        return None
    are_texts = isinstance(schema_id, str) and isinstance(schema, str)
    return (schema_id, schema) if are_texts and schema_id and schema else None


DECODERS = {"avro": decode_avro}
# Metadata messages with a schema have this text, in JSON as in the schema that they bring along.
SCHEMA_MESSAGES = ("dataSchema", schema_in)

"""CloudEvents of SQL Server CES in Avro, with the two schemas of the vendor's page.

Source: "Message format" of change event streaming, sections "CES CloudEvent JSON schema" and "CES
data attribute JSON schema" (both are Avro, here change_event.avsc and data.avsc). The body is a
ChangeEvent without a container, or in Confluent's wire format. Its `data` is a Data record, or JSON
text; of a change that is split over several messages it is a segment of the JSON text.
"""

from __future__ import annotations

import json
from typing import Any

from cdc_changelog.landing.decoders.avro_records import (
    read_record,
    schema_file,
    without_wire_format,
)

CHANGE_EVENT = schema_file(__package__, "change_event.avsc")
DATA = schema_file(__package__, "data.avsc")


def _data_text(event: dict[str, Any]) -> str:
    data: bytes = event["data"]
    is_segment = not event["finalsegment"] or event["segmentindex"] > 1
    # A Data record cannot begin with a brace: read as the length of `db`, that is negative.
    if not is_segment and not data.startswith(b"{"):
        try:
            return json.dumps(read_record(DATA, data), ensure_ascii=False, separators=(",", ":"))
        except (ValueError, EOFError, IndexError):
            # Where segments count from 0, the second and last one looks like a whole event.
            if event["segmentindex"] == 0:
                raise
    return data.decode()


def decode_avro(body: bytes, _: object = None) -> tuple[str, dict[str, str]]:
    """Return a ChangeEvent as a CloudEvent in JSON, and its schema id; else raise ValueError."""
    schema_id, record = without_wire_format(body)
    event = read_record(CHANGE_EVENT, record)
    event["data"] = _data_text(event)
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return text, {"schema-id": schema_id} if schema_id else {}


DECODERS = {"avro": decode_avro}

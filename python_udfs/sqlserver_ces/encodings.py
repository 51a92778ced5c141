"""CloudEvents of SQL Server CES in Avro, with the two schemas of the vendor's page.

Source: "Message format" of change event streaming, sections "CES CloudEvent JSON schema" and "CES
data attribute JSON schema" (both are Avro). The body is a ChangeEvent without a container, or in
Confluent's wire format. Its `data` is a Data record, or JSON text; of a change that is split over
several messages it is a segment of the JSON text.
"""

from __future__ import annotations

import json
from typing import Any

from fastavro import parse_schema

from python_udfs._avro import read_record, record_schema, without_wire_format

STRINGS = (
    "specversion",
    "type",
    "source",
    "id",
    "logicalid",
    "time",
    "datacontenttype",
    "operation",
)


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


CHANGE_EVENT = parse_schema(
    record_schema(
        "ChangeEvent",
        **dict.fromkeys(STRINGS, "string"),
        segmentindex="int",
        finalsegment="boolean",
        data="bytes",
    )
)
DATA = parse_schema(
    record_schema(
        "Data",
        eventsource=record_schema(
            "EventSource",
            db="string",
            schema="string",
            tbl="string",
            cols=_array(record_schema("Column", name="string", type="string", index="int")),
            pkkey=_array(record_schema("PkKey", columnname="string", value="string")),
            transaction=record_schema(
                "Transaction",
                commitlsn="string",
                beginlsn="string",
                sequencenumber="int",
                committime="string",
            ),
        ),
        eventrow=record_schema("EventRow", old="string", current="string"),
    )
)


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

"""A message in JSON as the Avro that the vendor's pages describe.

The pages say which fields a metadata message has, and not in which Avro types: the message brings its
schema along.
"""

from __future__ import annotations

import json
from datetime import date
from decimal import Context, Decimal
from typing import Any

from cdc_changelog.landing.decoders.qlik import ENVELOPE
from tests.python.helpers.avro import record_schema, write_avro

HEADERS = record_schema(
    "com.attunity.queue.msg.Headers",
    operation={
        "type": "enum",
        "name": "operation",
        "symbols": ["INSERT", "UPDATE", "DELETE", "REFRESH"],
    },
    changeSequence="string",
    timestamp="string",
    streamPosition="string",
    transactionId="string",
    changeMask=["null", "bytes"],
    columnMask=["null", "bytes"],
    transactionEventCounter=["null", "long"],
    transactionLastEvent=["null", "boolean"],
)
COLUMN = record_schema(
    "Column",
    ordinal="int",
    type="string",
    length="int",
    precision="int",
    scale="int",
    primaryKeyPosition="int",
)
METADATA = record_schema(
    "MetadataRecord",
    schemaId="string",
    lineage=record_schema(
        "Lineage",
        server="string",
        task="string",
        schema="string",
        table="string",
        tableVersion="int",
        timestamp="string",
    ),
    tableStructure=record_schema("TableStructure", tableColumns={"type": "map", "values": COLUMN}),
    dataSchema="string",
)
TYPES: dict[str, Any] = {
    "INT4": "int",
    "INT8": "long",
    "REAL4": "float",
    "REAL8": "double",
    "BOOLEAN": "boolean",
    "BYTES": "bytes",
    "NUMERIC": {"type": "bytes", "logicalType": "decimal", "precision": 38, "scale": 9},
    "DATE": {"type": "int", "logicalType": "date"},
    "TIME": {"type": "int", "logicalType": "time-millis"},
    "TIMESTAMP": {"type": "long", "logicalType": "timestamp-micros"},
}
EXACT = Context(prec=38)


def data_schema(columns: dict[str, str]) -> dict[str, Any]:
    """The schema of data messages, from the types of columns; text where none is known."""
    types = {name: ["null", TYPES.get(kind, "string")] for name, kind in columns.items()}
    return record_schema(
        "DataRecord",
        data=record_schema("Data", **types),
        beforeData=["null", "Data"],
        headers=HEADERS,
    )


def in_envelope(kind: str, message: bytes, schema_id: str | None, schema: str | None) -> bytes:
    envelope = {
        "magic": b"atMSG",
        "type": kind,
        "headers": None,
        "messageSchemaId": schema_id,
        "messageSchema": schema,
        "message": message,
    }
    return write_avro(ENVELOPE, envelope)


class Encoder:
    """Writes messages; of the metadata messages among them it knows the types of columns."""

    def __init__(self, texts: list[str]) -> None:
        sent = [json.loads(text) for text in texts]
        structures = {
            message["message"]["schemaId"]: message["message"]["tableStructure"]["tableColumns"]
            for message in sent
            if message.get("type") == "MD"
        }
        self.columns = {
            schema_id: {name: column["type"] for name, column in columns.items()}
            for schema_id, columns in structures.items()
        }

    def encode(self, text: str) -> bytes | None:
        """None for a message that no metadata message describes, or that Avro cannot hold."""
        sent = json.loads(text)
        if sent.get("type") == "MD":
            message = sent["message"]
            schema = json.dumps(data_schema(self.columns[message["schemaId"]]))
            metadata = write_avro(METADATA, message | {"dataSchema": schema})
            return in_envelope("MD", metadata, None, json.dumps(METADATA))
        record = self.record(text)
        return record and in_envelope("DT", record, sent["messageSchemaId"], None)

    def record(self, text: str) -> bytes | None:
        """A data message alone; None as above."""
        sent = json.loads(text)
        columns = self.columns.get(sent.get("messageSchemaId"))
        if columns is None:
            return None
        data, before, headers = (
            sent["message"][name] for name in ("data", "beforeData", "headers")
        )
        if any(isinstance(value, dict) for value in [*data.values(), *(before or {}).values()]):
            return None
        message = {
            "data": _image(data, columns),
            "beforeData": _image(before, columns),
            "headers": _headers(headers),
        }
        return write_avro(data_schema(columns), message)


def _image(image: dict[str, Any] | None, columns: dict[str, str]) -> dict[str, Any] | None:
    readers: dict[str, Any] = {
        "NUMERIC": lambda text: EXACT.create_decimal(text).quantize(Decimal("1e-9"), context=EXACT),
        "DATE": date.fromisoformat,
    }
    return image and {
        name: readers.get(columns[name], lambda value: value)(value) if value is not None else None
        for name, value in image.items()
    }


def _headers(headers: dict[str, Any]) -> dict[str, Any]:
    masks = {
        name: headers[name] and bytes.fromhex(headers[name])
        for name in ("changeMask", "columnMask")
    }
    return headers | masks

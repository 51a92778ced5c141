"""A message in JSON as the Avro that the vendor's pages describe.

The pages say which fields a metadata message has, and not in which Avro types: the message brings its
schema along.
"""

from __future__ import annotations

import io
import json
from datetime import date
from decimal import Context, Decimal
from typing import Any

from fastavro import parse_schema, schemaless_writer

from python_udfs.qlik.encodings import ENVELOPE

HEADERS = {
    "type": "record",
    "name": "Headers",
    "namespace": "com.attunity.queue.msg",
    "fields": [
        {
            "name": "operation",
            "type": {
                "type": "enum",
                "name": "operation",
                "symbols": ["INSERT", "UPDATE", "DELETE", "REFRESH"],
            },
        },
        *(
            {"name": name, "type": "string"}
            for name in ("changeSequence", "timestamp", "streamPosition", "transactionId")
        ),
        *({"name": name, "type": ["null", "bytes"]} for name in ("changeMask", "columnMask")),
        {"name": "transactionEventCounter", "type": ["null", "long"]},
        {"name": "transactionLastEvent", "type": ["null", "boolean"]},
    ],
}
COLUMN = {
    "type": "record",
    "name": "Column",
    "fields": [
        {"name": "ordinal", "type": "int"},
        {"name": "type", "type": "string"},
        *(
            {"name": name, "type": "int"}
            for name in ("length", "precision", "scale", "primaryKeyPosition")
        ),
    ],
}
LINEAGE = {
    "type": "record",
    "name": "Lineage",
    "fields": [
        *({"name": name, "type": "string"} for name in ("server", "task", "schema", "table")),
        {"name": "tableVersion", "type": "int"},
        {"name": "timestamp", "type": "string"},
    ],
}
METADATA: dict[str, Any] = {
    "type": "record",
    "name": "MetadataRecord",
    "fields": [
        {"name": "schemaId", "type": "string"},
        {"name": "lineage", "type": LINEAGE},
        {
            "name": "tableStructure",
            "type": {
                "type": "record",
                "name": "TableStructure",
                "fields": [{"name": "tableColumns", "type": {"type": "map", "values": COLUMN}}],
            },
        },
        {"name": "dataSchema", "type": "string"},
    ],
}
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


def write_avro(schema: dict[str, Any], record: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    schemaless_writer(stream, parse_schema(schema), record)
    return stream.getvalue()


def data_schema(columns: dict[str, str]) -> dict[str, Any]:
    """The schema of data messages, from the types of columns; text where none is known."""
    fields = [
        {"name": name, "type": ["null", TYPES.get(kind, "string")]}
        for name, kind in columns.items()
    ]
    return {
        "type": "record",
        "name": "DataRecord",
        "fields": [
            {"name": "data", "type": {"type": "record", "name": "Data", "fields": fields}},
            {"name": "beforeData", "type": ["null", "Data"]},
            {"name": "headers", "type": HEADERS},
        ],
    }


def in_envelope(kind: str, message: bytes, schema_id: str | None, schema: str | None) -> bytes:
    envelope = {
        "magic": b"atMSG",
        "type": kind,
        "headers": None,
        "messageSchemaId": schema_id,
        "messageSchema": schema,
        "message": message,
    }
    stream = io.BytesIO()
    schemaless_writer(stream, ENVELOPE, envelope)
    return stream.getvalue()


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

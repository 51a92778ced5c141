"""Avro of the vendor's pages becomes the JSON of the same message, or says why not."""

from __future__ import annotations

import csv
import json
from datetime import UTC, date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from cdc_changelog.landing.decoders.qlik import decode_avro, schema_in
from cdc_changelog.landing.encodings import as_json
from cdc_changelog.landing.schemas import SchemaFolder, Schemas
from tests.python.helpers.avro import write_avro
from tests.python.helpers.not_decoded import assert_is_kept_with_problem
from tests.python.vendors.qlik.binary import Encoder, data_schema, in_envelope
from tests.python.vendors.qlik.encoder import SEED

with SEED.open(newline="") as file:
    TEXTS = [line["value"] for line in csv.DictReader(file, delimiter="\t")]
ENCODER = Encoder(TEXTS)
METADATA, INSERT = (
    next(text for text in TEXTS if '"shop","table":"orders"' in text),
    next(text for text in TEXTS if '"operation":"INSERT"' in text and '"ordered_at"' in text),
)
SCHEMA_ID = json.loads(INSERT)["messageSchemaId"]


def _avro(text: str) -> bytes:
    body = ENCODER.encode(text)
    assert body is not None
    return body


def _known_schemas() -> Schemas:
    text, _ = as_json(_avro(METADATA), "avro", decode_avro)
    schema = schema_in(text or "")
    assert schema is not None
    return Schemas(dict([schema]))


SCHEMAS = _known_schemas()


def test_a_data_message_becomes_its_json_twin_by_the_schema_of_the_metadata_message() -> None:
    text, headers = as_json(_avro(INSERT), "avro", decode_avro, SCHEMAS.of("shop.orders"))
    assert (text, headers) == (INSERT, {"cdc-encoding": "avro", "cdc-schema-id": SCHEMA_ID})


def test_a_metadata_message_is_read_by_the_schema_that_it_brings_along() -> None:
    text, headers = as_json(_avro(METADATA), "avro", decode_avro)
    assert text is not None
    found, wanted = json.loads(text), json.loads(METADATA)
    assert json.loads(found["message"].pop("dataSchema"))["name"] == "DataRecord"
    wanted["message"].pop("dataSchema")
    assert (found, headers) == (wanted, {"cdc-encoding": "avro"})


def test_a_metadata_message_in_json_gives_its_schema_too() -> None:
    sent = json.loads(METADATA)
    sent["message"]["dataSchema"] = "{}"
    assert schema_in(json.dumps(sent)) == (sent["message"]["schemaId"], "{}")
    assert schema_in(json.dumps(sent["message"])) == (sent["message"]["schemaId"], "{}")


@pytest.mark.parametrize("text", ["[]", "{", "7", '{"message":[]}', INSERT, METADATA])
def test_no_schema_is_found_where_there_is_none(text: str) -> None:
    assert schema_in(text) is None


# The type in the vendor's table, the value in Avro, and what its JSON has.
VALUES: list[tuple[str, Any, str]] = [
    ("INT8", 9007199254740993, "9007199254740993"),
    (
        "NUMERIC",
        Decimal("12345678901234567890123456789.123456789"),
        '"12345678901234567890123456789.123456789"',
    ),
    ("NUMERIC", Decimal("-0.500000000"), '"-0.5"'),
    ("NUMERIC", Decimal("100.000000000"), '"100"'),
    ("BYTES", b"\x00\xab", '"00AB"'),
    ("DATE", date(1, 1, 1), '"0001-01-01"'),
    ("TIME", time(7, 8, 9, 10_000), '"07:08:09.010000"'),
    ("TIMESTAMP", datetime(2026, 3, 1, 9, 0, 0, 1, UTC), '"2026-03-01 09:00:00.000001"'),
    ("TIMESTAMP", datetime(999, 3, 1, tzinfo=UTC), '"0999-03-01 00:00:00.000000"'),
    ("REAL8", -0.0, "-0.0"),
    ("BOOLEAN", True, "true"),
    ("WSTRING", "Zoë", '"Zoë"'),
    ("WSTRING", None, "null"),
]
HEADERS = {
    "operation": "INSERT",
    "changeSequence": "1",
    "timestamp": "",
    "streamPosition": "",
    "transactionId": "",
    "changeMask": b"\x01",
    "columnMask": None,
    "transactionEventCounter": None,
    "transactionLastEvent": None,
}


def _bare(kind: str, value: Any) -> bytes:
    return write_avro(
        data_schema({"c": kind}), {"data": {"c": value}, "beforeData": None, "headers": HEADERS}
    )


@pytest.mark.parametrize(("kind", "value", "wanted"), VALUES)
def test_a_value_is_written_as_in_the_vendors_json(
    tmp_path: Path, kind: str, value: Any, wanted: str
) -> None:
    (tmp_path / "shop.t.avsc").write_text(json.dumps(data_schema({"c": kind})))
    schemas = Schemas(place=SchemaFolder(tmp_path))
    text, headers = as_json(_bare(kind, value), "avro", decode_avro, schemas.of("shop.t"))
    assert text is not None
    assert text.startswith(
        f'{{"data":{{"c":{wanted}}},"beforeData":null,"headers":{{"operation":"INSERT"'
    )
    assert '"changeMask":"01"' in text
    assert headers == {"cdc-encoding": "avro"}


def test_confluents_wire_format_names_the_schema(tmp_path: Path) -> None:
    (tmp_path / "7.avsc").write_text(json.dumps(data_schema({"c": "INT4"})))
    body = b"\0" + (7).to_bytes(4, "big") + _bare("INT4", 5)
    schemas = Schemas(place=SchemaFolder(tmp_path))
    text, headers = as_json(body, "avro", decode_avro, schemas.of("t"))
    assert (text or "").startswith('{"data":{"c":5},')
    assert headers == {"cdc-encoding": "avro", "cdc-schema-id": "7"}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (_avro(INSERT)[:-3], ""),
        (_avro(INSERT) + b"x", "1 bytes follow the MessageEnvelope"),
        (in_envelope("DT", b"\x02", SCHEMA_ID, None), ""),
        (in_envelope("DT", _bare("INT4", 5), SCHEMA_ID, None), ""),
        (in_envelope("DT", b"", "0" * 32, None), f"no schema is known of {'0' * 32}"),
        (in_envelope("DT", b"", None, None), "no schema is known of shop.orders"),
        (in_envelope("MD", b"", None, "no schema"), "Expecting value"),
        (b"no Avro at all", "no schema is known of shop.orders"),
        (b"\0\0\0\0\x07", "no schema is known of 7"),
    ],
    ids=[
        "cut",
        "too long",
        "cut inside",
        "other schema",
        "unknown id",
        "no id",
        "no schema",
        "text",
        "wire",
    ],
)
def test_what_cannot_be_decoded_is_kept_and_says_why(body: bytes, says: str) -> None:
    assert_is_kept_with_problem(body, "avro", decode_avro, says, SCHEMAS.of("shop.orders"))

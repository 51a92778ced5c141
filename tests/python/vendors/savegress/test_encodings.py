"""Protobuf of the vendor's page becomes the JSON of the same event, or says why not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from cdc_changelog.landing.decoders.savegress import decode_protobuf
from cdc_changelog.landing.encodings import as_json
from tests.python.helpers.not_decoded import assert_is_kept_with_problem
from tests.python.vendors.savegress.binary import as_protobuf

UPDATE: dict[str, Any] = {
    "id": "evt-abc123",
    "source": "postgres",
    "schema": "public",
    "table": "users",
    "operation": "UPDATE",
    "timestamp": "2025-01-15T10:30:00.123456Z",
    "transaction_id": "tx-12345",
    "position": {"lsn": "0/1234ABCD", "sequence": 42},
    "before": {"id": 1, "email": "john@example.com", "tags": ["a", None, {"deep": True}]},
    "after": {"id": 1, "email": None, "price": 99.99, "negative": -7, "zero": -0.0},
    "metadata": {"database": "production", "server": "db1.example.com"},
}


def _decoded(event: dict[str, Any]) -> tuple[Any, dict[str, str]]:
    text, headers = as_json(as_protobuf(json.dumps(event)), "protobuf", decode_protobuf)
    return text and json.loads(text), headers


def test_an_event_becomes_its_json_twin() -> None:
    assert _decoded(UPDATE) == (UPDATE, {"cdc-encoding": "protobuf"})


def test_images_that_are_not_sent_are_null_and_empty_ones_empty() -> None:
    found, _ = _decoded(UPDATE | {"operation": "INSERT", "before": None, "after": {}})
    assert (found["before"], found["after"]) == (None, {})


def test_an_integer_that_a_double_may_have_bent_is_warned_of() -> None:
    found, headers = _decoded(
        UPDATE | {"after": {"id": 2**53 + 1, "exact": 2**53 - 1, "large": 1.5e28}}
    )
    assert found["after"] == {"id": 2**53, "exact": 2**53 - 1, "large": 1.5e28}
    assert headers["cdc-warning"] == "2 integers from 2^53 on may have lost precision"


BODY = as_protobuf(json.dumps(UPDATE)) or b""


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (BODY[:-3], "Error parsing"),
        (b"", "operation is 0"),
        (BODY + b"\x62\x01x", "it has fields that CDCEvent has not"),
        (BODY + b"\x42\x03\x1a\x01x", "it has fields that CDCEvent has not"),
        (b"\x28\x09", "operation is 9"),
        (b"not a message", "Error parsing"),
    ],
    ids=["cut", "empty", "unknown field", "unknown field of position", "unknown operation", "text"],
)
def test_what_cannot_be_decoded_is_kept_and_says_why(body: bytes, says: str) -> None:
    assert_is_kept_with_problem(body, "protobuf", decode_protobuf, says)

"""Avro of the vendor's page becomes the JSON of the same event, or says why not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cdc_changelog.landing.decoders.sqlserver_ces import CHANGE_EVENT, DATA, decode_avro
from cdc_changelog.landing.encodings import as_json
from tests.python.helpers.avro import write_avro
from tests.python.helpers.not_decoded import assert_is_kept_with_problem
from tests.python.vendors.sqlserver_ces.binary import as_avro

SAMPLES = Path(__file__).parent / "samples"
INSERT = (SAMPLES / "sqlserver_ces_docs_2026_08.jsonl").read_text().splitlines()[0]


def test_an_event_becomes_its_json_twin() -> None:
    wanted = json.loads(INSERT)
    wanted["data"] = json.loads(wanted["data"])
    # The page's schema has no place for it; the page says that it is not in use.
    wanted["data"]["eventsource"]["transaction"].pop("finalevent", None)
    text, headers = as_json(as_avro(INSERT), "avro", decode_avro)
    assert text is not None
    found = json.loads(text)
    found["data"] = json.loads(found["data"])
    assert (found, headers) == (wanted, {"cdc-encoding": "avro"})


def test_the_id_of_confluents_wire_format_becomes_a_header() -> None:
    body = b"\0" + (7).to_bytes(4, "big") + (as_avro(INSERT) or b"")
    assert as_json(body, "avro", decode_avro)[1] == {"cdc-encoding": "avro", "cdc-schema-id": "7"}


def test_segments_of_a_split_change_stay_text() -> None:
    event = json.loads(INSERT)
    of_three = ((1, False, '{"a": "Zo'), (2, False, "ë"), (3, True, '"}'))
    of_two = ((0, False, '{"a": "Zo'), (1, True, 'ë"}'))
    for index, is_last, data in of_three + of_two:
        sent = event | {"segmentindex": index, "finalsegment": is_last, "data": data}
        text, _ = as_json(as_avro(json.dumps(sent)), "avro", decode_avro)
        assert text is not None
        assert json.loads(text)["data"] == data


def test_json_in_the_same_topic_stays_unchanged() -> None:
    assert as_json(INSERT.encode(), "avro", decode_avro) == (INSERT, {})
    assert as_json(None, "avro", decode_avro) == (None, {})


AVRO = as_avro(INSERT) or b""
RECORD = {**json.loads(INSERT), "data": b""}


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (AVRO[:-3], "Expected"),
        (AVRO + b"x", "1 bytes follow the ChangeEvent"),
        (write_avro(DATA, json.loads(json.loads(INSERT)["data"])), "Expected"),
        (write_avro(CHANGE_EVENT, RECORD | {"data": b"\xff\xfe"}), ""),
        (
            write_avro(CHANGE_EVENT, RECORD | {"data": b"\x06db\xff", "finalsegment": False}),
            "'utf-8'",
        ),
        (b"no Avro at all", "Expected"),
        (b"\0\0\0", "EOFError"),
    ],
    ids=["cut", "too long", "other schema", "data of another schema", "split Avro", "text", "wire"],
)
def test_what_cannot_be_decoded_is_kept_and_says_why(body: bytes, says: str) -> None:
    assert_is_kept_with_problem(body, "avro", decode_avro, says)

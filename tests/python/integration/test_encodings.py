"""Avro and Protobuf from a real broker: the marts are those of the same messages in JSON."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from cdc_changelog.config import REPOSITORY
from cdc_changelog.landing.bodies import Message
from cdc_changelog.landing.encodings import as_json, decoders
from tests.python.helpers.dbt_project import DbtProject
from tests.python.helpers.kafka_project import KafkaProject, Sent, fixture_messages
from tests.python.helpers.quick_proof import differences
from tests.python.scenario.oracle import comparable
from tests.python.vendors.qlik import binary as qlik
from tests.python.vendors.savegress import binary as savegress
from tests.python.vendors.sqlserver_ces import binary as sqlserver_ces

pytestmark = [pytest.mark.server, pytest.mark.slow]


def _texts(vendor: str) -> list[str]:
    return [text for _, (text, *_) in fixture_messages(vendor) if text is not None]


QLIK = qlik.Encoder(_texts("qlik"))
ENCODINGS: dict[str, Callable[[str], bytes | None]] = {
    "qlik:avro": QLIK.encode,
    "savegress:protobuf": savegress.as_protobuf,
    "sqlserver_ces:avro": sqlserver_ces.as_avro,
}
BINARY_VENDORS = tuple(feed.partition(":")[0] for feed in ENCODINGS)


def _unreadable(feed: str, of_another: str) -> list[tuple[str, bytes]]:
    """Bodies that are not what their feed says, by what is wrong with them."""
    whole, other = (
        next(
            body
            for text in reversed(_texts(name.partition(":")[0]))
            if (body := ENCODINGS[name](text))
        )
        for name in (feed, of_another)
    )
    return [
        ("cut", whole[:-3]),
        ("too long", whole + b"x"),
        ("another vendor's", other),
        ("text", b"neither Avro nor Protobuf"),
        ("not UTF-8", b"\xff\xfe\xfd"),
    ]


OF_A_TABLE, OF_ANOTHER = (
    next(text for text in _texts("qlik") if '"type":"DT"' in text and f'"{column}"' in text)
    for column in ("ordered_at", "line_number")
)
UNREADABLE = {
    "qlik:avro": [
        *_unreadable("qlik:avro", "sqlserver_ces:avro"),
        (
            "another schema",
            qlik.in_envelope(
                "DT",
                QLIK.record(OF_ANOTHER) or b"",
                json.loads(OF_A_TABLE)["messageSchemaId"],
                None,
            ),
        ),
        ("unknown schema", qlik.in_envelope("DT", QLIK.record(OF_A_TABLE) or b"", "0" * 32, None)),
        ("unknown wire id", b"\0\0\0\0\x07" + (QLIK.record(OF_A_TABLE) or b"")),
    ],
    "savegress:protobuf": _unreadable("savegress:protobuf", "sqlserver_ces:avro"),
    "sqlserver_ces:avro": _unreadable("sqlserver_ces:avro", "qlik:avro"),
}
# What the encoding cannot hold is sent as JSON: an integer that a double bends, a nested value.
IN_JSON = {"qlik": 21, "savegress": 47, "sqlserver_ces": 18}


def _image(text: str | None) -> Any:
    return text and comparable(json.loads(text))


def _marts(project: DbtProject) -> dict[str, set[tuple[Any, ...]]]:
    """Changelog, current rows and versions; the columns of an image in any order."""
    changes = project.query(
        # The text of an image is part of what a change of Savegress is, and a Struct has no order.
        "select before, after, vendor, if(vendor = 'savegress', message_id, change_id), operation,"
        " table_name, row_key, row_key_before, after_image, before_image, position, committed_at, snapshot_at, transaction_id from {cdc}.cdc_changelog"
    )
    rows = project.query(
        "select `row`, vendor, table_name, row_key, is_deleted from {cdc}.cdc_current_rows"
    )
    versions = project.query(
        "select `row`, vendor, table_name, row_key, version_number, valid_from, valid_to, valid_from_position"
        " from {cdc}.cdc_row_versions"
    )
    return {
        "changes": {(_image(before), _image(after), *row) for before, after, *row in changes},
        "current rows": {(_image(image), *row) for image, *row in rows},
        "versions": {(_image(image), *row) for image, *row in versions},
    }


@dataclass
class EncodedPair:
    """The fixture scenario of three vendors, landed from a broker in binary encodings and from JSON."""

    binary: DbtProject
    json: DbtProject


def _bodies(feed: str, texts: list[str]) -> list[bytes | None]:
    """Each message in the feed's encoding, null where that cannot hold it."""
    vendor, _, encoding = feed.partition(":")
    decode = decoders(vendor)[encoding]
    bodies = [ENCODINGS[feed](text) for text in texts]
    warned = ["cdc-warning" in as_json(body, encoding, decode)[1] for body in bodies]
    return [None if is_inexact else body for body, is_inexact in zip(bodies, warned, strict=True)]


@pytest.fixture(scope="module")
def pair(
    make_project: Callable[..., DbtProject], make_kafka_project: Callable[..., KafkaProject]
) -> EncodedPair:
    """Bodies that cannot be decoded follow in the same topics."""
    kafka = make_kafka_project("cdc_kafka_twin", vendors=BINARY_VENDORS)
    kafka.source = "fixtures"
    # The tables whose messages have no envelope are named by the topic.
    kafka.topics = {"qlik:avro": "shop.product_texts"}
    pair = EncodedPair(kafka.project, make_project("cdc_kafka_json", vendors=BINARY_VENDORS))
    lines = [
        line
        for line in (REPOSITORY / "seeds" / "config" / "fixture_cdc_tables.csv")
        .read_text()
        .splitlines(keepends=True)
        if line.startswith(("vendor", *BINARY_VENDORS))
    ]
    for project in (pair.binary, pair.json):
        (project.folder / "seeds" / "config" / "cdc_tables.csv").write_text("".join(lines))
        project.dbt("seed")
    later: dict[str, list[Sent]] = {}
    for feed in ENCODINGS:
        vendor = feed.partition(":")[0]
        # Metadata messages come with the first start of the job; the second one knows them.
        messages = sorted(
            fixture_messages(vendor), key=lambda message: '"MD"' not in (message[1][0] or "")
        )
        bodies = _bodies(feed, [text or "" for _, (text, *_) in messages])
        sent: list[Sent] = [
            (body or text, key, headers)
            for body, ((text, key, headers), _) in zip(bodies, messages, strict=True)
        ]
        half = len(sent) // 2
        kafka.send(feed, sent[:half])
        later[feed] = [*sent[half:], *((body, None, []) for _, body in UNREADABLE[feed])]
        pair.json.land(
            vendor,
            "fixtures",
            [
                Message(value, key=key, headers=headers, topic=kafka.topic(feed))
                for _, (value, key, headers) in messages
            ],
        )
        print(f"{vendor}: {bodies.count(None)} of {len(bodies)} messages in JSON")
        assert bodies.count(None) == IN_JSON[vendor]
    kafka.land(vendors=list(ENCODINGS))
    for feed, sent in later.items():
        kafka.send(feed, sent)
    print(kafka.land(vendors=list(ENCODINGS)))
    for project in (pair.binary, pair.json):
        project.dbt("run")
    return pair


def test_avro_and_protobuf_give_the_marts_of_their_json_twins(pair: EncodedPair) -> None:
    for feed, unreadable in UNREADABLE.items():
        vendor = feed.partition(":")[0]
        [(encoded,)] = pair.binary.query(
            f"select count(headers['cdc-encoding']) from {{raw}}.{vendor}"
        )
        # Neither more nor fewer were sent in the encoding than could be.
        assert encoded == len(_texts(vendor)) - IN_JSON[vendor] + len(unreadable)
        assert encoded - len(unreadable) >= 20
    found, wanted = _marts(pair.binary), _marts(pair.json)
    for mart, rows in wanted.items():
        assert len(rows) > 20
        assert differences(mart, rows, found[mart]) == []


def test_a_body_that_cannot_be_decoded_is_rejected_and_says_why(pair: EncodedPair) -> None:
    found = {}
    for feed, bodies in UNREADABLE.items():
        vendor = feed.partition(":")[0]
        for value, problem, reason in pair.binary.query(
            "select raw.value, raw.headers['cdc-problem'], rejected.reason"
            f" from {{raw}}.{vendor} as raw left join {{cdc}}.cdc_rejected_messages as rejected"
            f" on rejected.vendor = '{vendor}' and rejected.`partition` = raw.`partition`"
            " and rejected.`offset` = raw.`offset` where raw.headers['cdc-problem'] is not null"
        ):
            [name] = [name for name, body in bodies if b64encode(body).decode() == value]
            found[feed, name] = (reason, problem)
    print()
    for (feed, name), (reason, problem) in found.items():
        print(f"{feed:20} {name:16} base64, {reason}: {problem}")
    assert {place: reason for place, (reason, _) in found.items()} == {
        (feed, name): "NOT_JSON" for feed, bodies in UNREADABLE.items() for name, _ in bodies
    }

"""Messages of a vendor that were damaged at random, by a seed: what no producer should send, and some broker once will.

A message is damaged as text (cut, bits flipped, control characters, bytes that are not UTF-8) or as JSON (other
types, odd names and values, deep nesting, keys twice, huge numbers, odd dates, lists where objects belong).
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable
from typing import Any

from cdc_changelog.config import REPOSITORY
from cdc_changelog.landing.bodies import Message, inspect_file, read_bodies

csv.field_size_limit(10_000_000)
ODD_VALUES: tuple[Any, ...] = (
    None, True, False, 0, -1, 2**63, 10**40, 1.5, -0.0, "", " ", "null", "x", "é😀\u2028", "${x}", "'; drop table t; --",
    "0000-00-00", "9999-12-31T23:59:59Z", "2024-02-30T00:00:00Z", "FFFFFFFF/FFFFFFFF", "-1/0", "99999999999999999999",
    [], [[]], [None], ["x", 1], {}, {"a": {"a": {"a": {}}}}, {"": ""},
)  # fmt: skip
ODD_NAMES = ("", " ", "a.b", "a`b", "a'b", 'a"b', "ä", "$", "[0]", "select", "a\tb", "a\u0001b")
ODD_NUMBERS = (
    "1e400",
    "-1e-400",
    "123456789012345678901234567890123456789012",
    "0.10",
    "1E2",
    "-0",
)


def bodies_of(vendor: str) -> list[str]:
    """Return the bodies that are damaged: those of the fixture scenario and of the vendor's samples."""
    with (REPOSITORY / "seeds" / vendor / f"raw_{vendor}__fixtures.csv").open(newline="") as file:
        bodies = [line["value"] for line in csv.DictReader(file, delimiter="\t") if line["value"]]
    samples = REPOSITORY / "tests" / "python" / "vendors" / vendor / "samples"
    for path in sorted(samples.glob("*.jsonl")):
        for message in read_bodies(inspect_file(path)):
            assert isinstance(message.value, bytes)
            bodies.append(message.value.decode())
    return bodies


def _places(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths of all members and items inside a JSON value."""
    inner = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value)
        if isinstance(value, list)
        else ()
    )
    return [found for key, item in inner for found in ((*path, key), *_places(item, (*path, key)))]


def _damaged_json(chance: random.Random, body: str) -> str:
    """A body with one member, or item, replaced, renamed, repeated or buried."""
    document = json.loads(body)
    places = _places(document)
    if not places:
        return json.dumps(chance.choice(ODD_VALUES))
    *path, last = chance.choice(places)
    parent = document
    for key in path:
        parent = parent[key]
    kind = chance.randrange(6)
    if kind == 0:
        parent[last] = chance.choice(ODD_VALUES)
    elif kind == 1:
        del parent[last]
    elif kind == 2:
        parent[last] = [parent[last]] * chance.choice([1, 2])
    elif kind == 3 and isinstance(parent, dict):
        parent[chance.choice(ODD_NAMES)] = parent.pop(last)
    elif kind == 4:
        for _ in range(chance.choice([3, 30, 300])):
            parent[last] = {"deeper": parent[last]}
    else:
        mark = "a number stands here"
        parent[last] = mark
        return json.dumps(document).replace(f'"{mark}"', chance.choice(ODD_NUMBERS))
    return json.dumps(document, ensure_ascii=chance.random() < 0.5)


def _cut(chance: random.Random, body: bytes) -> bytes:
    return body[: chance.randrange(len(body))]


def _followed(chance: random.Random, body: bytes) -> bytes:
    return body + chance.choice([b"\x00", b"}", b"{}", b" ,", b"\x01", body])


def _flipped(chance: random.Random, body: bytes) -> bytes:
    place = chance.randrange(len(body))
    return body[:place] + bytes([body[place] ^ (1 << chance.randrange(8))]) + body[place + 1 :]


def _controlled(chance: random.Random, body: bytes) -> bytes:
    place = chance.randrange(len(body) + 1)
    return body[:place] + chance.choice([b"\x00", b"\x01", b"\x1f", b"\t", b"\n"]) + body[place:]


def _repeated_key(chance: random.Random, body: bytes) -> bytes:
    places = [place for place in range(len(body)) if body[place : place + 1] == b"{"]
    if not places:
        return body
    place = chance.choice(places) + 1
    return body[:place] + b'"id":1,"id":2,' + body[place:]


def _listed(chance: random.Random, body: bytes) -> bytes:
    return b"[" + chance.choice([b"", b'"x",', b"1,", b"null,"]) + body + b"]"


DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    _cut, _followed, _flipped, _controlled, _repeated_key, _listed,
)  # fmt: skip


def damaged_messages(vendor: str, seed: int, count: int) -> list[Message]:
    """Return damaged messages of a vendor; the same for the same seed."""
    chance = random.Random(f"{vendor} {seed}")
    bodies = bodies_of(vendor)
    messages = []
    for number in range(count):
        body = chance.choice(bodies)
        if chance.random() < 0.6:
            value = _damaged_json(chance, body).encode("utf-8", "surrogatepass")
        else:
            value = chance.choice(DAMAGES)(chance, body.encode())
        messages.append(Message(value, topic="damaged", partition=0, offset=number))
    return messages

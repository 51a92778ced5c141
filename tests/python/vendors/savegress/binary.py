"""An event in JSON as the Protobuf message of the vendor's page."""

from __future__ import annotations

import json
from typing import Any

from cdc_changelog.landing.decoders.savegress.cdc_event_pb2 import CDCEvent

PLAIN = ("id", "source", "schema", "table", "operation", "transaction_id")
FIELDS = {*PLAIN, "timestamp", "position", "before", "after", "metadata"}


def as_protobuf(body: str) -> bytes | None:
    """None for a body that the message has no place for: batches, other shapes, fields it lacks."""
    sent = json.loads(body)
    if (
        not isinstance(sent, dict)
        or not sent.keys() <= FIELDS
        or isinstance(sent.get("source"), dict)
    ):
        return None
    event: Any = CDCEvent()
    for name in PLAIN:
        if sent.get(name) is not None:
            setattr(event, name, sent[name])
    if "timestamp" in sent:
        event.timestamp.FromJsonString(sent["timestamp"])
    if sent.get("position") is not None:
        event.position.lsn = sent["position"]["lsn"]
        event.position.sequence = sent["position"]["sequence"]
    for side in ("before", "after"):
        if sent.get(side) is not None:
            getattr(event, side).SetInParent()
            getattr(event, side).update(sent[side])
    for name, value in (sent.get("metadata") or {}).items():
        event.metadata[name] = value if isinstance(value, str) else json.dumps(value)
    return bytes(event.SerializeToString())

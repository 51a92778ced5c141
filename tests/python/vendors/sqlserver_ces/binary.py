"""A CloudEvent in JSON as the Avro that the vendor's page describes."""

from __future__ import annotations

import json

from cdc_changelog.landing.decoders.sqlserver_ces import CHANGE_EVENT, DATA
from tests.python.helpers.avro import write_avro


def as_avro(body: str) -> bytes | None:
    """None for an event that the schemas of the page have no place for (`splitindex`, no transaction)."""
    event = json.loads(body)
    if "segmentindex" not in event:
        return None
    try:
        data = json.loads(event["data"])
    except ValueError:
        # A segment of a change that is split over messages.
        return write_avro(CHANGE_EVENT, event | {"data": event["data"].encode()})
    if "transaction" not in data["eventsource"]:
        return None
    return write_avro(CHANGE_EVENT, event | {"data": write_avro(DATA, data)})

"""Savegress' events as the Protobuf message `CDCEvent` of the vendor's page.

Source: "Event Format", section "gRPC Message"; the message is in cdc_event.proto. A message with
any other field is not decoded, since a position would be lost.
"""

from __future__ import annotations

import json
from typing import Any

from google.protobuf import struct_pb2
from google.protobuf.message import DecodeError
from google.protobuf.unknown_fields import UnknownFieldSet

from cdc_changelog.landing.decoders.savegress.cdc_event_pb2 import CDCEvent, Operation

# From here on several integers become one double.
FIRST_INEXACT_INTEGER = 2**53
FIRST_INT64_OVERFLOW = 2**63


def _value(value: struct_pb2.Value, inexact: list[float]) -> Any:
    kind = value.WhichOneof("kind")
    if kind == "struct_value":
        return _image(value.struct_value, inexact)
    if kind == "list_value":
        return [_value(item, inexact) for item in value.list_value.values]
    if kind == "number_value":
        number = value.number_value
        if number.is_integer() and abs(number) >= FIRST_INEXACT_INTEGER:
            inexact.append(number)
        is_int64 = number.is_integer() and abs(number) < FIRST_INT64_OVERFLOW
        return int(number) if is_int64 and str(number) != "-0.0" else number
    return None if kind in (None, "null_value") else getattr(value, kind)


def _image(struct: struct_pb2.Struct, inexact: list[float]) -> dict[str, Any]:
    # A Struct is a map: its fields have no order.
    return {name: _value(struct.fields[name], inexact) for name in sorted(struct.fields)}


def decode_protobuf(body: bytes, _: object = None) -> tuple[str, dict[str, str]]:
    """Return a CDCEvent as the vendor's JSON, and a warning; raise ValueError otherwise.

    Numbers of images are doubles: an integer from 2^53 on may have been another one at the source.
    """
    event: Any = CDCEvent()
    try:
        event.ParseFromString(body)
    except DecodeError as error:
        raise ValueError(str(error)) from error
    if len(UnknownFieldSet(event)) or len(UnknownFieldSet(event.position)):
        raise ValueError("it has fields that CDCEvent has not")
    if event.operation not in Operation.values() or not event.operation:
        raise ValueError(f"operation is {event.operation}")
    inexact: list[float] = []
    texts = ("id", "source", "schema", "table", "transaction_id")
    sent: dict[str, Any] = {name: getattr(event, name) for name in texts if getattr(event, name)}
    sent["operation"] = Operation.Name(event.operation)
    if event.HasField("timestamp"):
        sent["timestamp"] = event.timestamp.ToJsonString()
    if event.HasField("position"):
        sent["position"] = {"lsn": event.position.lsn, "sequence": event.position.sequence}
    for side in ("before", "after"):
        sent[side] = _image(getattr(event, side), inexact) if event.HasField(side) else None
    if event.metadata:
        sent["metadata"] = dict(sorted(event.metadata.items()))
    text = json.dumps(sent, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    warning = f"{len(inexact)} integers from 2^53 on may have lost precision"
    return text, {"warning": warning} if inexact else {}


DECODERS = {"protobuf": decode_protobuf}

"""Savegress' events as the Protobuf message `CDCEvent` of the vendor's page.

Source: "Event Format", section "gRPC Message". The page leaves the type of `position` out; here it
is what its JSON shows of PostgreSQL: `lsn` (1, string) and `sequence` (2, int64). A message with
any other field is not decoded, since a position would be lost.
"""

from __future__ import annotations

import json
from typing import Any

from google.protobuf import (
    descriptor_pb2,
    descriptor_pool,
    message_factory,
    struct_pb2,
    timestamp_pb2,
)
from google.protobuf.message import DecodeError, Message
from google.protobuf.unknown_fields import UnknownFieldSet

# From here on several integers become one double.
FIRST_INEXACT_INTEGER = 2**53
FIRST_INT64_OVERFLOW = 2**63
OPERATIONS = ("OPERATION_UNSPECIFIED", "INSERT", "UPDATE", "DELETE", "DDL", "BEGIN", "COMMIT")
# Name, number, type (a scalar's, or the name of a message or an enum).
POSITION_FIELDS = (("lsn", 1, "string"), ("sequence", 2, "int64"))
EVENT_FIELDS = (
    ("id", 1, "string"),
    ("source", 2, "string"),
    ("schema", 3, "string"),
    ("table", 4, "string"),
    ("operation", 5, ".savegress.Operation"),
    ("timestamp", 6, ".google.protobuf.Timestamp"),
    ("transaction_id", 7, "string"),
    ("position", 8, ".savegress.Position"),
    ("before", 9, ".google.protobuf.Struct"),
    ("after", 10, ".google.protobuf.Struct"),
    ("metadata", 11, ".savegress.CDCEvent.MetadataEntry"),
)
FieldProto = descriptor_pb2.FieldDescriptorProto


def _add_fields(
    message: descriptor_pb2.DescriptorProto, fields: tuple[tuple[str, int, str], ...]
) -> None:
    for name, number, kind in fields:
        added = message.field.add(name=name, number=number, label=FieldProto.LABEL_OPTIONAL)
        if kind.endswith("Entry"):
            added.label = FieldProto.LABEL_REPEATED
        if not kind.startswith("."):
            added.type = FieldProto.Type.Value(f"TYPE_{kind.upper()}")
        else:
            is_enum = kind.endswith("Operation")
            added.type = FieldProto.TYPE_ENUM if is_enum else FieldProto.TYPE_MESSAGE
            added.type_name = kind


def _event_class() -> type[Message]:
    file = descriptor_pb2.FileDescriptorProto(
        name="savegress/cdc_event.proto",
        package="savegress",
        syntax="proto3",
        dependency=[timestamp_pb2.DESCRIPTOR.name, struct_pb2.DESCRIPTOR.name],
    )
    operation = file.enum_type.add(name="Operation")
    for number, name in enumerate(OPERATIONS):
        operation.value.add(name=name, number=number)
    _add_fields(file.message_type.add(name="Position"), POSITION_FIELDS)
    event = file.message_type.add(name="CDCEvent")
    entry = event.nested_type.add(name="MetadataEntry")
    entry.options.map_entry = True
    _add_fields(entry, (("key", 1, "string"), ("value", 2, "string")))
    _add_fields(event, EVENT_FIELDS)
    pool = descriptor_pool.Default()
    pool.Add(file)
    found: type[Message] = message_factory.GetMessageClass(
        pool.FindMessageTypeByName("savegress.CDCEvent")
    )
    return found


CDCEvent = _event_class()


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
    if not 0 < event.operation < len(OPERATIONS):
        raise ValueError(f"operation is {event.operation}")
    inexact: list[float] = []
    texts = ("id", "source", "schema", "table", "transaction_id")
    sent: dict[str, Any] = {name: getattr(event, name) for name in texts if getattr(event, name)}
    sent["operation"] = OPERATIONS[event.operation]
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

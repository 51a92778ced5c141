"""Bodies that are no JSON, decoded into the JSON that the vendor documents for the same event.

A vendor's decoders lie in `decoders/<vendor>/`, a dict `DECODERS` from the name of an encoding
to a function of one body and of what finds its schema. Where messages bring schemas
along, `SCHEMA_MESSAGES` has a text that these messages contain, and what reads the schema's id and
the schema from their JSON. A body that is JSON already stays as it is, so one topic may hold both.
What cannot be decoded is kept as base64, with a header that says why.
"""

from __future__ import annotations

import base64
import importlib
import importlib.util
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import ModuleType
from typing import TYPE_CHECKING

from cdc_changelog.landing import decoders as decoders_package
from cdc_changelog.landing.bodies import ENCODING_HEADER, PROBLEM_HEADER, LandingError
from cdc_changelog.landing.schemas import SchemaOf, Schemas

if TYPE_CHECKING:
    import pyarrow as pa

ADDED_HEADERS = "added_headers"  # the column that holds them until they join those that were sent
# No Protobuf message begins so, and few Avro records: as the length of a text both are negative.
JSON_BEGINS = (b"{", b"[")
# A decoder gives JSON text, and what else is known of a body by name (`schema-id`, `warning`); it
# raises an error where a body is not what it should be.
Decoder = Callable[[bytes, SchemaOf], tuple[str, dict[str, str]]]
SchemaReader = Callable[[str], tuple[str, str] | None]
NO_SCHEMAS = Schemas().of("")


def _module(vendor: str) -> ModuleType | None:
    name = f"{decoders_package.__name__}.{vendor}"
    try:
        found = importlib.util.find_spec(name)
    except ModuleNotFoundError:
        return None
    return importlib.import_module(name) if found else None


def decoders(vendor: str) -> Mapping[str, Decoder]:
    """Return the decoders of a vendor by encoding; none where its messages are JSON alone."""
    found: Mapping[str, Decoder] = getattr(_module(vendor), "DECODERS", {})
    return found


def schema_messages(vendor: str) -> tuple[str, SchemaReader] | None:
    """Return what a vendor's schema messages contain, and what reads them; None without any."""
    found: tuple[str, SchemaReader] | None = getattr(_module(vendor), "SCHEMA_MESSAGES", None)
    return found


def as_json(
    body: bytes | None, encoding: str, decode: Decoder, schema_of: SchemaOf = NO_SCHEMAS
) -> tuple[str | None, dict[str, str]]:
    """Return a body as JSON text, and the headers to be added to it."""
    if body is None:
        return None, {}
    try:
        if body[:1] in JSON_BEGINS:
            return body.decode(), {}
        text, known = decode(body, schema_of)
    except LandingError:
        # The place of schemas cannot be asked: the body may be well.
        raise
    except Exception as error:
        # Whatever a library makes of foreign bytes: the message is kept, and says why.
        problem = f"the body is not {encoding}: {str(error) or type(error).__name__}"
        return base64.b64encode(body).decode(), {
            ENCODING_HEADER: "base64",
            PROBLEM_HEADER: problem[:500],
        }
    return text, {ENCODING_HEADER: encoding} | {f"cdc-{name}": of for name, of in known.items()}


def decode_batches(
    vendor: str, encoding: str, schemas: Schemas
) -> Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Return a function for mapInArrow: binary `value` becomes text, ADDED_HEADERS is new."""

    def decode(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa

        decoder = decoders(vendor)[encoding]
        for batch in batches:
            columns = {name: batch.column(name) for name in batch.schema.names}
            decoded = [
                as_json(body, encoding, decoder, schemas.of(topic))
                for topic, body in zip(
                    columns["topic"].to_pylist(), columns["value"].to_pylist(), strict=True
                )
            ]
            columns["value"] = pa.array([text for text, _ in decoded], pa.string())
            columns[ADDED_HEADERS] = pa.array(
                [list(headers.items()) or None for _, headers in decoded],
                pa.map_(pa.string(), pa.string()),
            )
            yield pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))

    return decode

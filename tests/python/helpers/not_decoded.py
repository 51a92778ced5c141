"""What has to hold of a body that is not what its feed says it is, whatever the encoding."""

from __future__ import annotations

from cdc_changelog.landing.encodings import NO_SCHEMAS, Decoder, as_json
from cdc_changelog.landing.schemas import SchemaOf


def assert_is_kept_with_problem(
    body: bytes, encoding: str, decode: Decoder, says: str, schema_of: SchemaOf = NO_SCHEMAS
) -> None:
    """It lands as base64, and a header says why."""
    text, headers = as_json(body, encoding, decode, schema_of)
    assert text is not None
    assert not text.startswith("{")
    assert headers["cdc-encoding"] == "base64"
    assert headers["cdc-problem"].startswith(f"the body is not {encoding}: {says}")

"""Checks that a webhook delivery was signed with our secret.

The vendor signs the exact bytes of the body with HMAC-SHA256 and sends `sha256=<hex digits>` in
the header X-Savegress-Signature. The secret comes from the environment of the server (on a
cluster: of the executors), so it never appears in SQL, in logs or in dbt's files.
"""

from __future__ import annotations

import hashlib
import hmac
import os
from collections.abc import Mapping

import pyarrow as pa

from python_udfs.registry import Udf

SECRET_VARIABLE = "CDC_SAVEGRESS_WEBHOOK_SECRET"

VALID = "valid"
INVALID = "invalid"
MISSING = "missing"
NOT_CHECKED = "not_checked"


def webhook_secret(environment: Mapping[str, str] | None = None) -> bytes | None:
    """Return the secret, or None where none is configured; an empty one counts as none."""
    given = os.environ if environment is None else environment
    return given.get(SECRET_VARIABLE, "").encode() or None


def verdict(body: str | None, signature: str | None, secret: bytes | None) -> str | None:
    """Return what one delivery's signature is worth: valid, invalid, missing or not_checked.

    Without a body there is nothing to judge: None.
    """
    if body is None:
        return None
    if secret is None:
        return NOT_CHECKED
    if signature is None:
        return MISSING
    expected = "sha256=" + hmac.new(secret, body.encode(), hashlib.sha256).hexdigest()
    given = signature.strip().lower()
    # Takes the same time wherever the first difference lies. Bytes, because the function raises
    # an error for text beyond ASCII, which a forged header may hold.
    is_valid = hmac.compare_digest(expected.encode(), given.encode())
    return VALID if is_valid else INVALID


def webhook_signature(body: pa.Array, signature: pa.Array) -> pa.Array:
    """Judge a batch of deliveries: `(body, X-Savegress-Signature) → verdict`."""
    secret = webhook_secret()
    verdicts = [
        verdict(one_body, one_signature, secret)
        for one_body, one_signature in zip(body.to_pylist(), signature.to_pylist(), strict=True)
    ]
    return pa.array(verdicts, pa.string())


UDFS = [Udf("cdc_savegress_webhook_signature", webhook_signature, "string")]

"""The signature check as a plain function: no Spark, no server."""

from __future__ import annotations

import hashlib
import hmac

import pyarrow as pa
import pytest

from python_udfs.savegress.webhook_signature import (
    SECRET_VARIABLE,
    verdict,
    webhook_secret,
    webhook_signature,
)

SECRET = b"not a real secret"
BODY = '{"id": "evt-abc123",  "after": {"name": "Zoë 🦊"}}\n'


def signature_of(body: str, secret: bytes = SECRET) -> str:
    return "sha256=" + hmac.new(secret, body.encode(), hashlib.sha256).hexdigest()


def test_signature_of_the_exact_body_is_valid() -> None:
    assert verdict(BODY, signature_of(BODY), SECRET) == "valid"


@pytest.mark.parametrize(
    "body", [BODY.strip(), BODY.replace("  ", " "), BODY + " ", BODY.replace("ë", "e")]
)
def test_signature_of_another_spelling_of_the_body_is_invalid(body: str) -> None:
    assert verdict(body, signature_of(BODY), SECRET) == "invalid"


@pytest.mark.parametrize(
    "signature",
    [
        "",
        "sha256=",
        "sha256=00",
        signature_of(BODY)[7:],
        signature_of(BODY, b"another secret"),
        "sha1=" + signature_of(BODY)[7:],
        "sha256=ü",
    ],
)
def test_any_other_signature_is_invalid(signature: str) -> None:
    assert verdict(BODY, signature, SECRET) == "invalid"


def test_capitals_and_blanks_around_a_signature_do_not_matter() -> None:
    assert verdict(BODY, f" {signature_of(BODY).upper()} ", SECRET) == "valid"


def test_missing_header_differs_from_a_missing_secret() -> None:
    assert verdict(BODY, None, SECRET) == "missing"
    assert verdict(BODY, None, None) == "not_checked"
    assert verdict(BODY, signature_of(BODY), None) == "not_checked"


def test_nothing_is_said_of_a_message_without_a_body() -> None:
    assert verdict(None, signature_of(BODY), SECRET) is None


def test_empty_secret_counts_as_none() -> None:
    assert webhook_secret({SECRET_VARIABLE: ""}) is None
    assert webhook_secret({}) is None
    assert webhook_secret({SECRET_VARIABLE: "s"}) == b"s"


def test_batch_reads_the_secret_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SECRET_VARIABLE, SECRET.decode())
    bodies = pa.array([BODY, BODY, BODY, None], pa.string())
    signatures = pa.array([signature_of(BODY), "sha256=00", None, None], pa.string())
    verdicts = webhook_signature(bodies, signatures)
    assert verdicts.to_pylist() == ["valid", "invalid", "missing", None]
    assert verdicts.type == pa.string()


def test_empty_batch_gives_an_empty_batch() -> None:
    assert webhook_signature(pa.array([], pa.string()), pa.array([], pa.string())).to_pylist() == []

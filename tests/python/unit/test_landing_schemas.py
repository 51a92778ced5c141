"""Where the schemas of Avro bodies are found, and what happens where they are not."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cdc_changelog.landing.bodies import LandingError
from cdc_changelog.landing.encodings import as_json
from cdc_changelog.landing.schemas import (
    REGISTRY_USER,
    SchemaFolder,
    SchemaRegistry,
    Schemas,
    schema_place,
)

SCHEMAS = {"/schemas/ids/7": '"int"', "/subjects/shop.orders%2Fx-value/versions/latest": '"long"'}
USER = "Basic " + base64.b64encode(b"lander:hunter2").decode()


class Registry(BaseHTTPRequestHandler):
    """Answers as Confluent's registry does, and writes down what it was asked."""

    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        known = SCHEMAS.get(self.path)
        allowed = self.headers.get("Authorization") == USER
        self.send_response(401 if not allowed else 200 if known else 404)
        self.end_headers()
        self.wfile.write(json.dumps({"schema": known} if known else {"error_code": 40403}).encode())

    def log_message(self, *_: object) -> None:
        """Nothing on the console."""


@pytest.fixture
def url() -> Iterator[str]:
    Registry.asked = []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Registry)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def test_a_registry_is_asked_once_for_each_id_and_topic(url: str) -> None:
    schemas = Schemas(place=SchemaRegistry(url, "lander:hunter2"))
    for _ in range(2):
        assert schemas.of("t")("7") == '"int"'
        assert schemas.of("shop.orders/x")(None) == '"long"'
        with pytest.raises(LookupError, match="the registry has no schemas/ids/8"):
            schemas.of("t")("8")
    assert Registry.asked == [*SCHEMAS, "/schemas/ids/8"]


def test_a_registry_that_answers_with_an_error_or_is_gone_stops_the_landing(url: str) -> None:
    for place, says in (
        (
            SchemaRegistry(url, "lander:wrong"),
            "The schema registry did not give schemas/ids/7: .*401",
        ),
        (SchemaRegistry("http://127.0.0.1:1"), "No answer of the schema registry"),
    ):
        with pytest.raises(LandingError, match=says):
            as_json(
                b"body",
                "avro",
                lambda _, schema_of: (schema_of("7"), {}),
                Schemas(place=place).of("t"),
            )


def test_a_folder_holds_schemas_by_id_and_by_topic(tmp_path: Path) -> None:
    (tmp_path / "7.avsc").write_text('"int"')
    (tmp_path / "shop.orders.avsc").write_text('"long"')
    folder = SchemaFolder(tmp_path)
    assert folder.schema("7", "shop.orders") == '"int"'
    assert folder.schema(None, "shop.orders") == '"long"'
    for schema_id in ("8", "../7", "/etc/passwd"):
        with pytest.raises(LookupError, match="there is no "):
            folder.schema(schema_id, "shop.orders")


def test_schemas_of_messages_come_before_those_of_a_place(tmp_path: Path) -> None:
    (tmp_path / "7.avsc").write_text('"int"')
    schemas = Schemas({"7": '"long"'}, SchemaFolder(tmp_path))
    assert schemas.of("t")("7") == '"long"'


def test_a_place_is_a_folder_or_a_url_without_a_password(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(REGISTRY_USER, "lander:hunter2")
    assert schema_place(str(tmp_path)) == SchemaFolder(tmp_path)
    registry = schema_place("https://registry:8081")
    assert registry == SchemaRegistry("https://registry:8081", "lander:hunter2")
    assert "hunter2" not in repr(registry)
    with pytest.raises(LandingError, match=f"{REGISTRY_USER} holds name:password"):
        schema_place("https://lander:hunter2@registry:8081")
    with pytest.raises(LandingError, match="expected a folder, or the URL of a registry"):
        schema_place(str(tmp_path / "none"))

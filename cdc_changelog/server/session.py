"""The Spark session of a process of ours: the Thrift server, the landing from Kafka."""

from __future__ import annotations

import os
import sys
import tempfile
import zipfile
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from cdc_changelog.config import REPOSITORY
from cdc_changelog.server.settings import Setting

SHIPPED = (".py", ".avsc")  # kinds of files that code on an executor reads

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def is_submitted() -> bool:
    """Return whether spark-submit started this process (then the JVM is there already)."""
    return "PYSPARK_GATEWAY_PORT" in os.environ


def build_session(settings: list[Setting], with_hive: bool) -> SparkSession:
    """Return the session with these settings; under spark-submit the cluster's own win.

    with_hive: whether tables are named in Hive's metastore.
    """
    from pyspark import SparkConf
    from pyspark.sql import SparkSession

    configuration = SparkConf()
    for setting in settings:
        if not (is_submitted() and configuration.contains(setting.key)):
            configuration.set(setting.key, setting.value)
    builder = SparkSession.builder.config(conf=configuration)
    return (builder.enableHiveSupport() if with_hive else builder).getOrCreate()


def give_workers_this_python() -> None:
    """Let Python workers of this machine run this interpreter and import this repository."""
    # Otherwise they use the first python3 of PATH, which has no pyarrow.
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYSPARK_DRIVER_PYTHON"] = sys.executable
    # They import python_udfs by name, wherever this process was started from.
    os.environ["PYTHONPATH"] = os.pathsep.join(
        part for part in (str(REPOSITORY), os.environ.get("PYTHONPATH", "")) if part
    )


def ship_packages(spark: SparkSession, *packages: ModuleType) -> None:
    """Send packages of ours to the executors, if there are any beside the driver."""
    if str(spark.sparkContext.master).startswith("local["):
        return
    archive = Path(tempfile.mkdtemp(prefix="cdc-packages-")) / "packages.zip"
    with zipfile.ZipFile(archive, "w") as zipped:
        for package in packages:
            folder = Path(str(package.__file__)).parent
            for file in sorted(folder.rglob("*")):
                if file.suffix in SHIPPED:
                    zipped.write(file, file.relative_to(folder.parent))
    spark.sparkContext.addPyFile(str(archive))

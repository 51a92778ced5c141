"""Start a Spark Thrift server in which the Python UDFs are registered: `cdc serve`.

On this machine it brings jars, folders and settings itself. Under
`spark-submit cdc_changelog/server/serve.py` master, memory, jars and folders are the cluster's;
only the settings every server needs are added.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

if not __package__:
    # spark-submit runs this file as a script: make our packages importable.
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent.parent))

import python_udfs
from cdc_changelog.config import CdcError, ServerConfig, config_from_environment
from cdc_changelog.server.disk import DiskWatch
from cdc_changelog.server.jars import jar_dir
from cdc_changelog.server.java import provide_java
from cdc_changelog.server.locks import DataDirLock, check_port_is_free
from cdc_changelog.server.logs import tail
from cdc_changelog.server.session import (
    build_session,
    give_workers_this_python,
    is_submitted,
    ship_packages,
)
from cdc_changelog.server.settings import (
    Setting,
    class_path_settings,
    local_settings,
    required_settings,
)
from cdc_changelog.server.workarounds import leave_out_functions_of_hive, remove_unfinished_tables
from python_udfs import registry

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CONSOLE_LOG = "server-console.log"
JVM_STOP_SECONDS = 20


class StopRequested(BaseException):
    """SIGINT or SIGTERM arrived; not an Exception, so that no handler of Spark swallows it."""


@dataclass(frozen=True)
class RunningServer:
    """A started server: its session and, if we launched it, its Java process."""

    spark: SparkSession
    jvm: subprocess.Popen[bytes] | None
    address: tuple[str, int]


@contextlib.contextmanager
def _output_to(path: Path) -> Iterator[None]:
    """Send what this process and processes born meanwhile write to a file.

    The JVM keeps the file for life, so its notices never reach the console.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    saved = [os.dup(descriptor) for descriptor in (1, 2)]
    with path.open("ab") as log:
        for descriptor in (1, 2):
            os.dup2(log.fileno(), descriptor)
    try:
        yield
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        for descriptor, original in zip((1, 2), saved, strict=True):
            os.dup2(original, descriptor)
            os.close(original)


def _differing_settings(spark: SparkSession, settings: list[Setting]) -> list[str]:
    differing = []
    for setting in settings:
        actual = spark.conf.get(setting.key, None)
        if actual != setting.value:
            differing.append(f"  {setting.key} is {actual}, not {setting.value}: {setting.reason}")
    return differing


def start_local(config: ServerConfig, *more: Setting) -> RunningServer:
    """Start the server of this machine; the data folder must be locked by the caller.

    Settings in `more` replace those of the same key: a benchmark has another master.
    """
    # Shuffle files and logs hold parts of messages: for the owner alone.
    os.umask(0o077)
    for folder in (config.log_dir, config.scratch_dir, config.warehouse_dir):
        folder.mkdir(parents=True, exist_ok=True)
    settings = required_settings(config.table_format) + local_settings(config, os.cpu_count() or 2)
    settings += class_path_settings(jar_dir(config.table_format))
    settings += more
    give_workers_this_python()
    console_log = config.log_dir / CONSOLE_LOG
    console_log.write_text("")
    try:
        with _output_to(console_log):
            spark = build_session(settings, with_hive=True)
            ship_packages(spark, python_udfs)
            if config.table_format == "delta":
                remove_unfinished_tables(spark, config)
            _start_thrift(spark, config.table_format)
    except Exception as error:
        raise _start_failure(config, error) from error
    gateway: Any = spark.sparkContext._gateway
    return RunningServer(spark, gateway.proc, (config.host, config.port))


def _start_failure(config: ServerConfig, error: Exception) -> CdcError:
    text = str(error)
    console = tail(config.log_dir / CONSOLE_LOG, 40)
    if "Another instance of Derby" in text + console + tail(config.log_dir / "spark.log", 400):
        return CdcError(
            f"The metastore in {config.metastore_dir} is in use by another process."
            " Stop it, or set CDC_DATA_DIR to another folder."
        )
    first_line = text.strip().splitlines()[0] if text.strip() else type(error).__name__
    return CdcError(f"Spark did not start: {first_line}\n{console}Logs are in {config.log_dir}.")


def _start_thrift(spark: SparkSession, table_format: str) -> None:
    if table_format == "iceberg":
        # Clients open their session in `default`, which a new catalog does not have.
        spark.sql("create namespace if not exists default")
    leave_out_functions_of_hive(spark)
    # Opens the metastore now: its problems belong to the start, not to the first client.
    spark.sql("show tables in default").collect()
    jvm: Any = spark.sparkContext._jvm
    thrift_server = jvm.org.apache.spark.sql.hive.thriftserver.HiveThriftServer2
    thrift_server.startWithSparkSession(spark._jsparkSession, True)


def start_submitted(config: ServerConfig) -> RunningServer:
    """Start the server inside a spark-submit application."""
    required = required_settings(config.table_format)
    spark = build_session(
        [
            *required,
            Setting("spark.hadoop.hive.server2.thrift.bind.host", config.host, "Where to listen."),
            Setting("spark.hadoop.hive.server2.thrift.port", str(config.port), "Where to listen."),
        ],
        with_hive=True,
    )
    differing = _differing_settings(spark, required)
    if differing:
        print("Settings of this cluster that differ from those needed:", *differing, sep="\n")
    ship_packages(spark, python_udfs)
    _start_thrift(spark, config.table_format)
    hadoop: Any = spark.sparkContext._jsc
    port = hadoop.hadoopConfiguration().get("hive.server2.thrift.port", str(config.port))
    return RunningServer(spark, None, (config.host, int(port)))


def stop_server(server: RunningServer) -> None:
    """Stop a server that was started, and its Java process if we launched it."""
    with contextlib.suppress(Exception):
        # A JVM that died already cannot be asked to stop.
        server.spark.stop()
    if server.jvm is None:
        return
    # The gateway's JVM ends when its standard input does.
    if server.jvm.stdin is not None:
        with contextlib.suppress(OSError):
            server.jvm.stdin.close()
    try:
        server.jvm.wait(JVM_STOP_SECONDS)
    except subprocess.TimeoutExpired:
        server.jvm.kill()
        server.jvm.wait()


def _watch(
    server: RunningServer, parent: int | None, stop: threading.Event, disk: DiskWatch | None
) -> None:
    """Return when asked to stop or when the parent is gone; raise if the server is of no use."""
    while not stop.wait(0.5):
        if disk is not None:
            disk.look()
        if server.jvm is not None and server.jvm.poll() is not None:
            raise CdcError(f"The server's Java process ended (code {server.jvm.returncode}).")
        if parent is not None and os.getppid() != parent:
            return


def _disk_watch(config: ServerConfig, server: RunningServer) -> DiskWatch:
    return DiskWatch(
        config.data_dir,
        lambda: server.spark.catalog.databaseExists("default"),
        lambda text: print(text, flush=True),
    )


def _announce(config: ServerConfig, server: RunningServer, names: list[str], java: str) -> None:
    host, port = server.address
    spark = server.spark
    print(
        f"Spark {spark.version} on {java}, {config.table_format} tables,"
        f" master {spark.sparkContext.master}"
    )
    if not is_submitted():
        print(f"Data, metastore and logs in {config.data_dir}")
    print(f"Python UDFs registered: {', '.join(names) if names else 'none'}")
    print("Connect with")
    print(f"  dbt      CDC_THRIFT_HOST={host} CDC_THRIFT_PORT={port} dbt build")
    print(f"  PyHive   pyhive.hive.connect(host='{host}', port={port})")
    print(f"  beeline  beeline -u jdbc:hive2://{host}:{port}")


def _write_ready_file(config: ServerConfig, server: RunningServer) -> None:
    host, port = server.address
    content = {
        "pid": os.getpid(),
        "java_pid": server.jvm.pid if server.jvm else None,
        "host": host,
        "port": port,
        "table_format": config.table_format,
    }
    # Written whole or not at all: others read it as soon as it is there.
    partial = config.ready_file.with_suffix(".partial")
    partial.write_text(json.dumps(content))
    partial.replace(config.ready_file)


def run(config: ServerConfig, stop_with_parent: bool) -> None:
    """Serve until SIGINT, SIGTERM or, if asked for, the end of the parent process.

    Raises CdcError with a text for people when the server cannot start or dies.
    """
    began = time.monotonic()
    parent = os.getppid() if stop_with_parent else None
    stop = threading.Event()

    def request_stop(number: int, frame: FrameType | None) -> None:
        if stop.is_set():
            return
        stop.set()
        raise StopRequested

    def accept_signals() -> None:
        signal.signal(signal.SIGINT, request_stop)
        signal.signal(signal.SIGTERM, request_stop)

    submitted = is_submitted()
    server: RunningServer | None = None
    with contextlib.ExitStack() as cleanup:
        try:
            accept_signals()
            java = "the cluster's Java"
            if submitted:
                server = start_submitted(config)
            else:
                check_port_is_free(config)
                cleanup.enter_context(DataDirLock.take(config))
                config.ready_file.unlink(missing_ok=True)
                cleanup.callback(config.ready_file.unlink, missing_ok=True)
                java = f"Java {provide_java().release}"
                print("Starting Spark …", flush=True)
                server = start_local(config)
            # PySpark put its own handler for SIGINT in place.
            accept_signals()
            names = [udf.name for udf in registry.register_all(server.spark)]
            _announce(config, server, names, java)
            if not submitted:
                _write_ready_file(config, server)
            print(f"ready after {time.monotonic() - began:.1f} s; stop with Ctrl-C", flush=True)
            _watch(server, parent, stop, None if submitted else _disk_watch(config, server))
        except StopRequested:
            pass
        finally:
            # A second Ctrl-C must not leave a Java process behind.
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            signal.signal(signal.SIGTERM, signal.SIG_IGN)
            if server is not None:
                print("stopping …", flush=True)
                stop_server(server)
                print("stopped", flush=True)
            else:
                _stop_unfinished_jvm()


def _stop_unfinished_jvm() -> None:
    """End the JVM of a start that was interrupted or failed."""
    pyspark = sys.modules.get("pyspark")
    gateway: Any = getattr(getattr(pyspark, "SparkContext", None), "_gateway", None)
    process = getattr(gateway, "proc", None)
    if process is not None:
        process.kill()
        process.wait()


PROGRAM = "python -m cdc_changelog.server.serve"


def main() -> int:
    """Run `python -m cdc_changelog.server.serve`."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=__doc__)
    parser.add_argument(
        "--stop-with-parent",
        action="store_true",
        help="stop when the process that started this one ends, however it ends",
    )
    arguments = parser.parse_args()
    try:
        run(config_from_environment(), arguments.stop_with_parent)
    except (CdcError, registry.UdfRegistryError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

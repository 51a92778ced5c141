"""A Kafka broker of one node, from its published Java artifacts."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pyspark

from cdc_changelog.server.jars import jar_dir
from cdc_changelog.server.java import provide_java
from cdc_changelog.server.locks import free_port

BROKER_COORDINATE = "org.apache.kafka:kafka_2.13:4.1.1"
BROKER_LOCK = Path(__file__).with_name("broker.lock")
START_TIMEOUT_SECONDS = 90
# Base64 of sixteen bytes. A random one begins with "-", an option to Kafka's tool, once in 64.
CLUSTER = "Y2RjX2NoYW5nZWxvZ190ZQ"
PROPERTIES = """\
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:{controller_port}
listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}
controller.listener.names=CONTROLLER
log.dirs={folder}/data
num.partitions=4
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
"""


@contextlib.contextmanager
def running_broker(folder: Path) -> Iterator[str]:
    """Start a broker whose topics have four partitions; yield its address; stop it."""
    jars = jar_dir("broker", BROKER_LOCK)
    java = provide_java().home / "bin" / "java"
    port = free_port()
    properties, log = folder / "server.properties", folder / "broker.log"
    properties.write_text(PROPERTIES.format(port=port, controller_port=free_port(), folder=folder))
    # What Spark brings in any case is not resolved.
    [scala] = (Path(pyspark.__file__).parent / "jars").glob("scala-library-*.jar")
    command = [str(java), "-Xmx512m", "-cp", f"{jars}/*:{scala}"]
    with log.open("wb") as output:
        subprocess.run(
            [*command, "kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", str(properties)],
            check=True,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        broker = subprocess.Popen(
            [*command, "kafka.Kafka", str(properties)], stdout=output, stderr=subprocess.STDOUT
        )
        try:
            _wait(broker, port, log)
            yield f"127.0.0.1:{port}"
        finally:
            broker.kill()
            broker.wait()


def _wait(broker: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + START_TIMEOUT_SECONDS
    while time.monotonic() < deadline and broker.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.2)
    raise AssertionError(f"The broker does not listen on {port}:\n{log.read_text()[-2000:]}")

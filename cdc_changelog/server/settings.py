"""Every Spark setting we make, in one place, each with its reason.

`python -m cdc_changelog.server.settings` prints those that any server needs, ready for a cluster's
spark-defaults.conf; with `--local` those of the local server too.
"""

from __future__ import annotations

import argparse
import os
from dataclasses import dataclass
from pathlib import Path

from cdc_changelog.config import ServerConfig, config_from_environment

LOG_CONFIG = Path(__file__).resolve().parent / "log4j2.properties"

ICEBERG_CATALOG = "ice"

# Maven coordinates per table format. SPARK_LINE is part of the artifact names: the three
# have to move together with the pyspark bound in pyproject.toml.
SPARK_LINE = "4.1_2.13"
COORDINATES: dict[str, tuple[str, ...]] = {
    "delta": (f"io.delta:delta-spark_{SPARK_LINE}:4.4.0",),
    "iceberg": (
        f"org.apache.iceberg:iceberg-spark-runtime-{SPARK_LINE}:1.12.0",
        # Holds the catalog of the local server: the Hive-type catalog fails on this stack.
        "org.xerial:sqlite-jdbc:3.50.3.0",
    ),
}
# Of `python -m cdc_changelog.landing.kafka` alone. Works beside every release of the Spark line.
KAFKA_COORDINATE = "org.apache.spark:spark-sql-kafka-0-10_2.13:4.1.1"

SHARED_SESSION = "spark.sql.hive.thriftServer.singleSession"


@dataclass(frozen=True)
class Setting:
    """One Spark setting and why we make it."""

    key: str
    value: str
    reason: str


def required_settings(table_format: str) -> list[Setting]:
    """Return what every server needs, local or cluster.

    Without them rows come out wrong, or runs cost a multiple: each reason says which.
    """
    return [
        Setting(
            SHARED_SESSION,
            "true",
            "The lock of a run is a setting of the one session; where clients have sessions of"
            " their own, the variable cdc_lock_in has to be table.",
        ),
        Setting(
            "spark.sql.variable.substitute",
            "false",
            "Otherwise Spark deletes every ${x} from SQL text, and so from data in literals.",
        ),
        Setting(
            "spark.sql.session.timeZone",
            "UTC",
            "All times of the changelog are UTC, whatever the machine's zone is.",
        ),
        Setting(
            "spark.sql.ansi.enabled",
            "true",
            "A failed cast or an overflow stops the run instead of turning into null.",
        ),
        Setting(
            "spark.sql.subexpressionElimination.skipForShortcutExpr",
            "true",
            "Otherwise what stands behind an `and` is computed for every row, before the cheap"
            " condition in front of it is looked at: all messages parsed to find a few.",
        ),
        Setting(
            "spark.sql.codegen.maxFields",
            "1000",
            "A step with more fields than this, 100 by default, is left out of generated code;"
            " staging rows have more, and copying them from step to step costs more than parsing.",
        ),
        Setting(
            "spark.sql.optimizer.excludedRules",
            "org.apache.spark.sql.catalyst.optimizer.PushProjectionThroughUnion",
            "Otherwise what stands above a union is planned once for each of its parts: staging"
            " reads new and stored messages, the event store all vendors.",
        ),
        Setting(
            "spark.sql.parquet.outputTimestampType",
            "TIMESTAMP_MICROS",
            "The default INT96 has no statistics, so filters on times would read every file.",
        ),
        *_format_settings(table_format),
    ]


def _format_settings(table_format: str) -> list[Setting]:
    default_format = Setting(
        "spark.sql.sources.default",
        table_format,
        "Tables and seeds without a file_format get the server's one format: MERGE across"
        " formats fails.",
    )
    if table_format == "delta":
        return [
            Setting(
                "spark.sql.extensions",
                "io.delta.sql.DeltaSparkSessionExtension",
                "Delta's MERGE, DELETE and UPDATE are parsed and planned by this extension.",
            ),
            Setting(
                "spark.sql.catalog.spark_catalog",
                "org.apache.spark.sql.delta.catalog.DeltaCatalog",
                "Lets `create table … using delta` go through the ordinary catalog.",
            ),
            default_format,
        ]
    if table_format == "iceberg":
        catalog = f"spark.sql.catalog.{ICEBERG_CATALOG}"
        return [
            Setting(
                "spark.sql.extensions",
                "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
                "Iceberg's MERGE and views are planned by this extension.",
            ),
            Setting(
                "spark.sql.defaultCatalog",
                ICEBERG_CATALOG,
                "dbt names two-part relations; they have to resolve in the Iceberg catalog.",
            ),
            Setting(catalog, "org.apache.iceberg.spark.SparkCatalog", "The Iceberg catalog."),
            Setting(
                f"{catalog}.cache-enabled",
                "false",
                "What another process lands would stay unseen for half a minute, and might land"
                " again.",
            ),
            default_format,
            Setting(
                "spark.sql.analyzer.maxIterations",
                "1000",
                "Views of its catalog are resolved together with the query that reads them, layer"
                " by layer: the default of 100 passes is too few for a vendor's staging views.",
            ),
            Setting(
                f"{catalog}.table-default.format-version",
                "3",
                "Version 3 has deletion vectors, the cheap form of merge-on-read.",
            ),
            *(
                Setting(
                    f"{catalog}.table-default.write.{command}.mode",
                    "merge-on-read",
                    "Marks rows instead of copying files.",
                )
                for command in ("merge", "update", "delete")
            ),
        ]
    return [default_format]


def one_machine_settings(config: ServerConfig) -> list[Setting]:
    """Return what any Spark of ours on this machine needs, the server or another."""
    return [
        Setting(
            "spark.hadoop.fs.permissions.umask-mode",
            "077",
            "Tables hold messages: their files are for the owner alone. Hadoop sets rights by"
            " itself, whatever the process's umask is.",
        ),
        Setting("spark.master", "local[*]", "All cores of this machine."),
        Setting("spark.driver.host", "127.0.0.1", "No look-up of the machine's name."),
        Setting("spark.driver.bindAddress", "127.0.0.1", "Spark's own ports stay on this machine."),
        Setting("spark.local.dir", str(config.scratch_dir), "Shuffle files, in the data folder."),
        Setting("spark.ui.enabled", "false", "Saves a web server and its port."),
        Setting("spark.ui.showConsoleProgress", "false", "No progress bars in the console."),
    ]


def local_settings(config: ServerConfig, cores: int) -> list[Setting]:
    """Return what only the server on this machine needs: folders, memory, small-data tuning.

    `cores` is the number of processors Spark may use.
    """
    java_options = " ".join(
        [
            f"-Dlog4j2.configurationFile={LOG_CONFIG.as_uri()}",
            f"-Dcdc.log.dir={config.log_dir}",
            f"-Dderby.stream.error.file={config.log_dir / 'derby.log'}",
            # Here Hive makes a folder for each session. One that all share goes when any of them
            # ends, and two sessions that open at once fail over making it.
            f"-Djava.io.tmpdir={config.scratch_dir}",
            "-Duser.timezone=UTC",
            # Wide models become deep plans; the default 1 MB stack overflows in the optimizer.
            "-Xss4m",
            # Many short statements on few cores: a quarter less time than the default takes.
            "-XX:+UseParallelGC",
            # Generated code fills the default 240 MB after a few runs, and is then compiled anew.
            "-XX:ReservedCodeCacheSize=1g",
            # Java's compiler takes a quarter of a first build. Putting methods of up to 2500 bytes,
            # the default, into one another costs an eighth of the build and makes nothing faster.
            "-XX:InlineSmallCode=500",
        ]
    )
    settings = [
        *one_machine_settings(config),
        Setting("spark.app.name", "cdc-changelog", "Name in logs and process lists."),
        Setting("spark.driver.memory", config.driver_memory, "From CDC_DRIVER_MEMORY."),
        Setting("spark.driver.extraJavaOptions", java_options, "Logs to files, UTC, deep plans."),
        Setting("spark.sql.warehouse.dir", config.warehouse_dir.as_uri(), "Where tables lie."),
        Setting(
            "spark.hadoop.javax.jdo.option.ConnectionURL",
            f"jdbc:derby:;databaseName={config.metastore_dir};create=true",
            "The embedded metastore lies in the data folder, not in the current one.",
        ),
        Setting(
            "spark.hadoop.hive.exec.scratchdir",
            str(config.scratch_dir / "hive"),
            "The default /tmp/hive is shared by all servers and users of a machine.",
        ),
        Setting(
            "spark.hadoop.hive.exec.local.scratchdir",
            str(config.scratch_dir / "hive-local"),
            "As above.",
        ),
        Setting(
            "spark.hadoop.hive.server2.logging.operation.enabled",
            "false",
            "One log file per statement, which is not read.",
        ),
        Setting(
            "spark.hadoop.hive.server2.async.exec.threads",
            "8",
            "Statements at a time. Each new thread opens the metastore for itself; of the default's"
            " hundred, nearly every statement met one that was new.",
        ),
        Setting(
            "spark.hadoop.hive.hmshandler.retry.attempts",
            "2",
            "Where the metastore's disk is full its database closes. Each statement would open it"
            " again ten times ten times, two seconds apart, and all others wait for it.",
        ),
        Setting("spark.hadoop.hive.hmshandler.retry.interval", "500ms", "As above."),
        Setting(
            "spark.hadoop.hive.server2.async.exec.keepalive.time",
            "1d",
            "As above; the default ends a thread that was idle for ten seconds.",
        ),
        Setting("spark.hadoop.hive.server2.thrift.bind.host", config.host, "CDC_THRIFT_HOST."),
        Setting("spark.hadoop.hive.server2.thrift.port", str(config.port), "CDC_THRIFT_PORT."),
        Setting(
            "spark.sql.shuffle.partitions",
            str(cores),
            "The default 200 makes 200 tiny tasks of every small join. With two for each core small"
            " runs take a tenth more, and whole builds no less.",
        ),
        Setting(
            "spark.sql.parquet.compression.codec",
            "zstd",
            "Half the bytes of the default snappy at the same CPU time.",
        ),
        Setting(
            "spark.sql.codegen.cache.maxEntries",
            "5000",
            "A run has some hundreds of generated classes; the default keeps 100, so that each run"
            " would compile them anew and begin with code that is not warm.",
        ),
        Setting(
            "spark.sql.codegen.hugeMethodLimit",
            "8000",
            "Java never compiles a larger method; the default of 65535 lets wide steps run"
            " interpreted.",
        ),
        Setting(
            "spark.sql.adaptive.enabled",
            "false",
            "With few partitions there is little to adapt, and planning again after each stage took"
            " a sixth of the time of runs with many joins and few rows. A cluster keeps it.",
        ),
        Setting(
            "spark.sql.ui.retainedExecutions",
            "20",
            "The default keeps 1000 plans in memory, which are large here.",
        ),
    ]
    if config.table_format == "delta":
        settings.append(
            Setting(
                "spark.databricks.delta.snapshotPartitions",
                "1",
                "The default 50 spends a second on the state of each small table.",
            )
        )
    if not config.has_shared_session:
        settings.append(Setting(SHARED_SESSION, "false", "CDC_SHARED_SESSION says so."))
    settings += catalog_settings(config)
    if config.table_format != "iceberg":
        settings.append(
            Setting(
                "spark.sql.optimizer.dynamicPartitionPruning.enabled",
                "false",
                "The models name the partitions they read; looking for more doubles planning time."
                " Iceberg registers them in no other way.",
            )
        )
    return settings


def catalog_settings(config: ServerConfig) -> list[Setting]:
    """Return where a server of this machine keeps its catalog, if the format has one of its own."""
    if config.table_format != "iceberg":
        return []
    catalog = f"spark.sql.catalog.{ICEBERG_CATALOG}"
    return [
        Setting(f"{catalog}.type", "jdbc", "Has views; the Hive and hadoop types fail here."),
        Setting(
            f"{catalog}.uri",
            f"jdbc:sqlite:{config.data_dir / 'iceberg_catalog.sqlite'}",
            "SQLite needs no server; the JDBC catalog fails on Derby.",
        ),
        Setting(f"{catalog}.jdbc.schema-version", "V1", "V0 has no views."),
        Setting(f"{catalog}.warehouse", config.warehouse_dir.as_uri(), "Where tables lie."),
    ]


def class_path_settings(*jar_dirs: Path) -> list[Setting]:
    """Return the class path of the resolved jars; the folders hold nothing but jars."""
    class_path = ":".join(f"{folder}/*" for folder in jar_dirs)
    reason = "Not spark.jars.packages: its classes vanish after the first client disconnects."
    return [
        Setting("spark.driver.extraClassPath", class_path, reason),
        Setting("spark.executor.extraClassPath", class_path, reason),
    ]


def spark_defaults_text(settings: list[Setting], coordinates: tuple[str, ...]) -> str:
    """Render settings as the text of a spark-defaults.conf, each below its reason."""
    lines = [f"# Put this and its dependencies on the class path: {name}" for name in coordinates]
    for setting in settings:
        lines += ["", f"# {setting.reason}", f"{setting.key} {setting.value}"]
    return "\n".join(lines) + "\n"


PROGRAM = "python -m cdc_changelog.server.settings"


def main() -> None:
    """Print the settings for the effective CDC_TABLE_FORMAT."""
    parser = argparse.ArgumentParser(prog=PROGRAM, description=main.__doc__)
    parser.add_argument("--local", action="store_true", help="also those of the local server")
    arguments = parser.parse_args()
    config = config_from_environment()
    settings = required_settings(config.table_format)
    if arguments.local:
        settings += local_settings(config, os.cpu_count() or 2)
    print(spark_defaults_text(settings, COORDINATES[config.table_format]), end="")


if __name__ == "__main__":
    main()

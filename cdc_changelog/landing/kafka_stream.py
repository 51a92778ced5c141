"""One Structured Streaming query a feed, from Kafka into the raw tables, each micro-batch once.

The job is a Spark process of its own. Tables are created and claimed through the Thrift server; the
messages go from here into the table's files, in one commit a micro-batch.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
import re
import socket
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

import cdc_changelog
from cdc_changelog.client import SqlConnection, connect, run_sql
from cdc_changelog.config import ServerConfig
from cdc_changelog.landing.bodies import ENCODING_HEADER, NOT_UTF_8, PROBLEM_HEADER, LandingError
from cdc_changelog.landing.encodings import (
    ADDED_HEADERS,
    as_json,
    decode_batches,
    decoders,
    schema_messages,
)
from cdc_changelog.landing.ledger import LANDED, Ledger
from cdc_changelog.landing.micro_batches import MicroBatch, claim_if_new
from cdc_changelog.landing.raw_tables import RAW_COLUMNS, create_raw_table
from cdc_changelog.landing.schemas import SchemaPlace, Schemas, SchemaTable
from cdc_changelog.server.jars import jar_dir
from cdc_changelog.server.java import provide_java
from cdc_changelog.server.session import (
    build_session,
    give_workers_this_python,
    is_submitted,
    ship_packages,
)
from cdc_changelog.server.settings import (
    LOG_CONFIG,
    Setting,
    catalog_settings,
    class_path_settings,
    one_machine_settings,
    required_settings,
)

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession
    from pyspark.sql.streaming.query import StreamingQuery

IS_TEXT = "is_valid_utf8(cast({0} as string))"
TEXT_OR_BASE64 = f"if({IS_TEXT}, cast({{0}} as string), base64({{0}}))"
NOT_TEXT = f"map('{ENCODING_HEADER}', 'base64', '{PROBLEM_HEADER}', '{NOT_UTF_8}')"
SENT_HEADERS = (
    "map_from_entries(transform(headers, header ->"
    f" struct(header.key, {TEXT_OR_BASE64.format('header.value')})))"
)
# Out of the columns of Spark's Kafka source: the raw columns but source and landing_batch, and
# apart from the headers that were sent those that are to be added.
MESSAGE_COLUMNS = {
    "value": "value",
    "key": TEXT_OR_BASE64.format("key"),
    "headers": SENT_HEADERS,
    "topic": "topic",
    "partition": "partition",
    "offset": "offset",
    "timestamp": "timestamp",
}
# How Spark prints an error of ours that a micro-batch raised.
OWN_ERROR = re.compile(r"cdc_changelog[.][\w.]+[.](?:LandingError|ServerError): (.*)")


@dataclass(frozen=True)
class Feed:
    """One stream: whose messages, the name of the feed, and the topics (a Java pattern)."""

    vendor: str
    source: str
    topics: str
    encoding: str | None = None  # of bodies that are no JSON


@dataclass(frozen=True)
class Job:
    """What the command line asks for; `options` are those of Spark's Kafka source."""

    feeds: tuple[Feed, ...]
    options: dict[str, str]
    checkpoint: str
    raw_schema: str
    every_seconds: int | None
    schemas: SchemaPlace | None = None


@dataclass
class FeedTotals:
    """What one feed has landed since the job began."""

    micro_batches: int = 0
    messages: int = 0
    not_decoded: int = 0


def spark_session(config: ServerConfig, memory: str) -> SparkSession:
    """Return the session of this job, with the jars of the table format and of Kafka."""
    settings = [
        *required_settings(config.table_format),
        Setting("spark.sql.mapKeyDedupPolicy", "LAST_WIN", "Kafka allows a header twice."),
        Setting(
            "spark.sql.streaming.disabledV2MicroBatchReaders",
            "org.apache.spark.sql.kafka010.KafkaSourceProvider",
            "The newer reader fails after each micro-batch that it repeats (SPARK-55271).",
        ),
    ]
    if not is_submitted():
        # What it writes holds messages: for the owner alone.
        os.umask(0o077)
        provide_java()
        logs = config.log_dir / "kafka"
        logs.mkdir(parents=True, exist_ok=True)
        give_workers_this_python()
        options = f"-Dlog4j2.configurationFile={LOG_CONFIG.as_uri()} -Dcdc.log.dir={logs}"
        settings += [
            *one_machine_settings(config),
            Setting("spark.app.name", "cdc-landing-kafka", "Name in logs and process lists."),
            Setting("spark.driver.memory", memory, "From --memory."),
            Setting("spark.driver.extraJavaOptions", options, "Logs to files."),
            *catalog_settings(config),
            *class_path_settings(
                jar_dir(config.table_format),
                jar_dir("kafka"),
            ),
        ]
    spark = build_session(settings, with_hive=False)
    # The decoders and what they stand on.
    ship_packages(spark, cdc_changelog)
    return spark


def with_text(messages: DataFrame, feed: Feed, schemas: Schemas) -> DataFrame:
    """Return messages with `value` as text and with `added_headers`, null where there are none."""
    from pyspark.sql import functions as sql
    from pyspark.sql.types import MapType, StringType, StructField, StructType

    headers = MapType(StringType(), StringType())
    if feed.encoding is not None:
        kept = [field for field in messages.schema.fields if field.name != "value"]
        decoded = [StructField("value", StringType()), StructField(ADDED_HEADERS, headers)]
        return messages.select(*(field.name for field in kept), "value").mapInArrow(
            decode_batches(feed.vendor, feed.encoding, schemas), StructType([*kept, *decoded])
        )
    is_text = f"value is null or {IS_TEXT.format('value')}"
    return messages.withColumns(
        {
            "value": sql.expr(TEXT_OR_BASE64.format("value")),
            ADDED_HEADERS: sql.expr(f"if({is_text}, null, {NOT_TEXT})"),
        }
    )


def raw_rows(messages: DataFrame, feed: Feed, landing_batch: int, schemas: Schemas) -> DataFrame:
    """Return messages of Spark's Kafka source in the shape of a raw table."""
    from pyspark.sql import functions as sql

    columns = [sql.expr(text).alias(name) for name, text in MESSAGE_COLUMNS.items()]
    rows = with_text(messages.select(*columns), feed, schemas).select(
        "*",
        sql.lit(feed.source).alias("source"),
        sql.lit(landing_batch).cast("bigint").alias("landing_batch"),
    )
    all_headers = f"map_concat(coalesce(headers, map()), {ADDED_HEADERS})"
    rows = rows.withColumn("headers", sql.expr(f"coalesce({all_headers}, headers)"))
    return rows.select(*(sql.col(name).cast(kind) for name, kind, _ in RAW_COLUMNS))


def table_writer(table_format: str, table: str, location: str) -> Callable[[DataFrame], None]:
    """Return what appends rows to a raw table in one commit.

    A Delta table is written by its folder: the job has no metastore of its own.
    """
    if table_format == "iceberg":
        return lambda rows: rows.writeTo(table).append()
    return lambda rows: rows.write.format("delta").mode("append").save(location)


class FeedLoader:
    """Lands the micro-batches of one feed; `stream_id` is known once the query has started."""

    def __init__(
        self, feed: Feed, job: Job, config: ServerConfig, log: Callable[[str], None]
    ) -> None:
        """Create the raw table and the ledger where missing."""
        self.feed, self.job, self.config, self.log = feed, job, config, log
        self.totals = FeedTotals()
        self.stream_id = ""
        self.has_started = threading.Event()
        self.known_schemas: dict[str, str] = {}
        self.schema_table = SchemaTable(job.raw_schema, feed.vendor, feed.source)
        self.schema_messages = schema_messages(feed.vendor) if feed.encoding else None
        with contextlib.closing(connect(config.host, config.port)) as connection:
            table = create_raw_table(connection, feed.vendor, job.raw_schema, config.table_format)
            Ledger(connection, job.raw_schema, feed.vendor, feed.source).create(config.table_format)
            if self.schema_messages:
                self.schema_table.create(connection, config.table_format)
                self.known_schemas = self.schema_table.read(connection)
            described = run_sql(connection, f"describe extended {table}")
        location = {name: text for name, text, *_ in described}["Location"]
        self.append = table_writer(config.table_format, table, location)

    def __call__(self, messages: DataFrame, number: int) -> None:
        """Land a micro-batch, unless an earlier process has."""
        from pyspark.sql import Observation
        from pyspark.sql import functions as sql

        self.has_started.wait()
        micro_batch = MicroBatch(self.stream_id, number)
        # Opened anew: a session may have ended since the last micro-batch.
        with contextlib.closing(connect(self.config.host, self.config.port)) as connection:
            ledger = Ledger(connection, self.job.raw_schema, self.feed.vendor, self.feed.source)
            claim = claim_if_new(ledger, micro_batch)
            if claim is None:
                self.log(f"{self.feed.vendor} {self.feed.source}: micro-batch {number} was landed")
                return
            schemas = self.schemas_of(connection, messages)
            observed = Observation()
            rows = raw_rows(messages, self.feed, claim.landing_batch, schemas).observe(
                observed,
                sql.count(sql.lit(1)).alias("messages"),
                sql.count(sql.expr(f"headers['{PROBLEM_HEADER}']")).alias("not_decoded"),
            )
            began = time.monotonic()
            self.append(rows)
            counts = observed.get
            micro_batch = dataclasses.replace(micro_batch, lines=counts["messages"])
            ledger.write([micro_batch], claim, LANDED)
        self.totals.micro_batches += 1
        self.totals.messages += counts["messages"]
        self.totals.not_decoded += counts["not_decoded"]
        self.log(
            f"{self.feed.vendor} {self.feed.source}: {counts['messages']:,} messages,"
            f" batch {claim.landing_batch}, {time.monotonic() - began:.1f} s"
        )

    def schemas_of(self, connection: SqlConnection, messages: DataFrame) -> Schemas:
        """Return what a micro-batch is decoded with; the schemas that it brings along are kept."""
        feed = self.feed
        schemas = Schemas(self.known_schemas, self.job.schemas)
        if not (feed.encoding and self.schema_messages):
            return schemas
        contained, read_schema = self.schema_messages
        found = messages.where(f"contains(value, cast('{contained}' as binary))")
        decode = decoders(feed.vendor)[feed.encoding]
        given: dict[str, str] = {}
        for row in found.select("topic", "value").collect():
            text, _ = as_json(bytes(row.value), feed.encoding, decode, schemas.of(row.topic))
            given.update([schema] if text and (schema := read_schema(text)) else [])
        if new := dict(given.items() - self.known_schemas.items()):
            self.schema_table.add(connection, new)
            self.known_schemas |= new
        return Schemas(self.known_schemas, self.job.schemas)


def start(spark: SparkSession, loader: FeedLoader) -> StreamingQuery:
    """Start the stream of a feed."""
    feed, job = loader.feed, loader.job
    reader = spark.readStream.format("kafka").options(**job.options)
    folder = f"{job.checkpoint}/{feed.vendor}/{quote(feed.source, safe='')}"
    writer = (
        reader.option("subscribePattern", feed.topics)
        .option("includeHeaders", "true")
        .load()
        .writeStream.queryName(f"{feed.vendor} {feed.source}")
        .option("checkpointLocation", folder)
        .foreachBatch(loader)
    )
    if job.every_seconds is None:
        writer = writer.trigger(availableNow=True)
    else:
        writer = writer.trigger(processingTime=f"{job.every_seconds} seconds")
    query = writer.start()
    loader.stream_id = str(query.id)
    loader.has_started.set()
    return query


def run(
    job: Job, config: ServerConfig, memory: str, log: Callable[[str], None]
) -> list[FeedTotals]:
    """Land until nothing is left, or until Ctrl-C; return what each feed has landed.

    Raises LandingError when a stream fails; the others are stopped, and the next start goes on.
    """
    check_servers(job.options["kafka.bootstrap.servers"])
    loaders = [FeedLoader(feed, job, config, log) for feed in job.feeds]
    spark = spark_session(config, memory)
    try:
        queries = [start(spark, loader) for loader in loaders]
        try:
            while any(query.isActive for query in queries):
                for query in queries:
                    query.awaitTermination(1)
            for query in queries:
                # One may have failed since it was last asked.
                query.awaitTermination()
        except KeyboardInterrupt:
            log("stopping …")
            for query in queries:
                query.stop()
    except Exception as error:
        raise LandingError(stream_failure(error)) from error
    finally:
        spark.stop()
    return [loader.totals for loader in loaders]


def stream_failure(error: Exception) -> str:
    """Return what went wrong in a stream, without what Spark puts around it."""
    text = str(getattr(error, "desc", None) or error)
    if own := OWN_ERROR.search(text):
        return own.group(1)
    line = next((line.strip() for line in text.splitlines() if line.strip()), type(error).__name__)
    return re.sub(r"^.* terminated with exception: | SQLSTATE: \w+$", "", line)


def check_servers(servers: str) -> None:
    """Raise LandingError where no broker listens: Kafka's client would look for three minutes."""
    for server in servers.split(","):
        host, _, port = server.strip().rpartition(":")
        if not port.isdecimal():
            raise LandingError(f"server is {server!r}; expected host:port, such as broker:9092.")
        with contextlib.suppress(OSError), socket.create_connection((host, int(port)), 10):
            return
    raise LandingError(f"No broker listens on {servers}; are --servers and the network right?")

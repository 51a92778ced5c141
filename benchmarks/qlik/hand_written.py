"""The hand-written job for one table: changelog, current rows and history with MERGE.

It is correct where many are not: late and repeated changes, deletes that stay deleted, and rows
that are touched are made again from the changelog.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.window import Window

ROW_TYPE = (
    "struct<id:bigint,event_number:bigint,customer_id:bigint,status:string,total:decimal(12,2),"
    "currency:string,quantity:int,placed_at:timestamp,shipped_at:timestamp,email:string,"
    "street:string,city:string,country:string,comment:string,is_gift:boolean,warehouse:string>"
)
HEADERS_TYPE = (
    "struct<operation:string,changeSequence:string,timestamp:string,transactionId:string>"
)
MESSAGE_TYPE = f"message struct<headers:{HEADERS_TYPE},data:{ROW_TYPE}>"

# A MERGE marks the rows it replaces instead of copying their files.
IN_PLACE = {"delta.enableDeletionVectors": "true"}


class HandWrittenJob:
    """The job on one schema; `run` takes the landing batches above the last one it has seen."""

    def __init__(self, spark: SparkSession, raw: str, schema: str) -> None:
        """Name the tables; the schema has to exist."""
        self.spark, self.raw = spark, raw
        self.changelog = f"{schema}.changelog"
        self.current = f"{schema}.current_orders"
        self.history = f"{schema}.orders_history"

    def run(self, first_batch: int, last_batch: int) -> None:
        """Read the landing batches and bring the three tables up to date."""
        spark = self.spark
        is_first = not spark.catalog.tableExists(self.changelog)
        changes = self._parsed(first_batch, last_batch).dropDuplicates(["change_sequence"])
        if is_first:
            changes.write.format("delta").saveAsTable(self.changelog)
            touched_changes = spark.table(self.changelog)
        else:
            logged = spark.table(self.changelog).select("change_sequence")
            new = changes.join(logged, "change_sequence", "left_anti").localCheckpoint()
            new.write.format("delta").mode("append").saveAsTable(self.changelog)
            touched = new.select("id").distinct()
            touched_changes = (
                spark.table(self.changelog).join(F.broadcast(touched), "id").localCheckpoint()
            )
        current = self._latest(touched_changes)
        versions = self._versions(touched_changes)
        if is_first:
            current.write.format("delta").options(**IN_PLACE).saveAsTable(self.current)
            versions.write.format("delta").options(**IN_PLACE).saveAsTable(self.history)
            return
        current.createOrReplaceTempView("new_current")
        spark.sql(
            f"merge into {self.current} as target using new_current as made on target.id = made.id"
            " when matched and made.change_sequence <> target.change_sequence then update set *"
            " when not matched then insert *"
        )
        versions.createOrReplaceTempView("new_versions")
        spark.sql(
            f"merge into {self.history} as target using new_versions as made"
            " on target.id = made.id and target.change_sequence = made.change_sequence"
            " when matched and (not (target.valid_to <=> made.valid_to) or target.is_current <> made.is_current"
            " or target.version_number <> made.version_number) then update set *"
            " when not matched then insert *"
        )

    def _parsed(self, first_batch: int, last_batch: int) -> DataFrame:
        batches = self.spark.table(self.raw).where(
            F.col("landing_batch").between(first_batch, last_batch)
        )
        message = batches.select(F.from_json("value", MESSAGE_TYPE)["message"].alias("message"))
        return message.select(
            F.col("message.headers.operation"),
            F.col("message.headers.changeSequence").alias("change_sequence"),
            F.col("message.headers.timestamp").cast("timestamp").alias("committed_at"),
            F.col("message.headers.transactionId").alias("transaction_id"),
            "message.data.*",
        )

    @staticmethod
    def _latest(changes: DataFrame) -> DataFrame:
        newest_first = Window.partitionBy("id").orderBy(F.desc("change_sequence"))
        return (
            changes.withColumn("number", F.row_number().over(newest_first))
            .where("number = 1")
            .drop("number")
            .withColumn("is_deleted", F.col("operation") == "DELETE")
        )

    @staticmethod
    def _versions(changes: DataFrame) -> DataFrame:
        in_order = Window.partitionBy("id").orderBy("change_sequence")
        return (
            changes.withColumn("valid_to", F.lead("committed_at").over(in_order))
            .withColumn("is_current", F.lead("change_sequence").over(in_order).isNull())
            .withColumn(
                "version_number",
                F.sum(F.when(F.col("operation") == "DELETE", 0).otherwise(1)).over(in_order),
            )
            .where("operation <> 'DELETE'")
            .withColumnRenamed("committed_at", "valid_from")
        )

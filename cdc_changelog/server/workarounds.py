"""What Spark gets wrong on the way to a running server, and what is done about it.

Each is tried again without its workaround when the bound of pyspark in pyproject.toml moves:

- Sessions that close at one moment (SPARK-51041): tests/python/integration/test_server_sessions.py
- Folders of tables that a killed server did not finish: tests/python/unit/test_server_start.py
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cdc_changelog.config import ServerConfig

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HIVE_FUNCTIONS_ARE_REGISTERED = 2  # REG_FUNCS_DONE of Hive 2.3


def leave_out_functions_of_hive(spark: SparkSession) -> None:
    """Make Hive take its own functions for registered: no client of Spark uses them.

    Hive registers them when two sessions close at the same moment, and one of them needs a class
    that Spark does not ship (SPARK-51041). Sessions that close afterwards would wait forever.
    """
    jvm: Any = spark.sparkContext._jvm
    handles = jvm.java.lang.invoke.MethodHandles
    registered = jvm.java.lang.Class.forName(
        "org.apache.hadoop.hive.ql.metadata.Hive"
    ).getDeclaredField("didRegisterAllFuncs")
    registered.setAccessible(True)
    [set_number] = [
        method for method in registered.getType().getMethods() if method.getName() == "set"
    ]
    # The field holds an AtomicInteger, of which Python would get the number and not the object.
    lookup = handles.publicLookup()
    handles.foldArguments(
        lookup.unreflect(set_number), lookup.unreflectGetter(registered)
    ).invokeWithArguments(jvm.java.util.List.of(HIVE_FUNCTIONS_ARE_REGISTERED))


def unfinished_tables(warehouse: Path, tables: dict[str, set[str]]) -> list[Path]:
    """Return the folders of tables whose creation a killed server did not finish.

    Spark writes a plain table's files first and names the table afterwards. `tables` has the names
    of all tables by schema. A folder with a log of transactions is left alone: Delta takes it over.
    """
    return [
        folder
        for schema, names in sorted(tables.items())
        for folder in sorted((warehouse / f"{schema}.db").glob("*"))
        if folder.name not in names and not (folder / "_delta_log").exists()
    ]


def remove_unfinished_tables(spark: SparkSession, config: ServerConfig) -> None:
    """Delete the folders of `unfinished_tables`: Spark creates no table whose folder exists."""
    tables = {
        schema: {table for _, table, *_ in spark.sql(f"show tables in `{schema}`").collect()}
        for (schema,) in spark.sql("show schemas").collect()
    }
    for folder in unfinished_tables(config.warehouse_dir, tables):
        shutil.rmtree(folder)

"""Which Python functions SQL may call: found by walking the package, no list to edit.

Example of a module `python_udfs/<folder>/<topic>.py`:

    def text_length(text: pa.Array) -> pa.Array:
        return pa.compute.utf8_length(text)

    UDFS = [Udf("cdc_text_length", text_length, "int")]

A function takes whole Arrow arrays and returns one of the same length, null in, null out. All its
parameters are annotated with `pa.Array`, since Spark reads the annotations. A table function
(`TableUdf`) gets the rows of one group one by one and keeps what it needs of them.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


class UdfRegistryError(Exception):
    """The package holds something that cannot be registered."""


@dataclass(frozen=True)
class Udf:
    """One function that SQL may call.

    `name` is its name in SQL, `function` takes and returns Arrow arrays,
    `return_type` is a DDL string such as `array<struct<name: string, size: bigint>>`.
    """

    name: str
    function: Callable[..., Any]
    return_type: str

    def __post_init__(self) -> None:
        """Raise an error for names that SQL would need quotes for."""
        if not re.fullmatch(r"[a-z][a-z0-9_]*", self.name):
            raise UdfRegistryError(
                f"UDF name {self.name!r}: expected lower-case letters, digits and underscores."
            )


@dataclass(frozen=True)
class TableUdf:
    """One table function that SQL may call, on a table that is partitioned and ordered.

    `handler` is a class with `eval`, called with each row of one group in order, and perhaps
    `terminate`; both give rows of `return_type`, a DDL string such as `id bigint, name string`.
    """

    name: str
    handler: type
    return_type: str

    def __post_init__(self) -> None:
        """Raise an error for names that SQL would need quotes for."""
        Udf(self.name, self.handler, self.return_type)


AnyUdf = Udf | TableUdf


def discover(package: ModuleType | None = None) -> list[AnyUdf]:
    """Return the UDFs of every module below `package` (default: python_udfs), sorted by name.

    Raises UdfRegistryError if one name is given by two modules, or twice by one.
    """
    root = importlib.import_module("python_udfs") if package is None else package
    owner_of: dict[str, str] = {}
    found: list[AnyUdf] = []
    for module in _modules(root):
        for udf in _udfs_of(module):
            if udf.name in owner_of:
                raise UdfRegistryError(
                    f"UDF {udf.name!r} is defined in {owner_of[udf.name]} and in {module.__name__}."
                )
            owner_of[udf.name] = module.__name__
            found.append(udf)
    return sorted(found, key=lambda udf: udf.name)


def _modules(root: ModuleType) -> Iterable[ModuleType]:
    yield root
    names = sorted(info.name for info in pkgutil.walk_packages(root.__path__, f"{root.__name__}."))
    for name in names:
        yield importlib.import_module(name)


def _udfs_of(module: ModuleType) -> list[AnyUdf]:
    udfs = vars(module).get("UDFS", [])
    # Written as text, or not a list of Udf: say where, instead of a failure in the server.
    if not isinstance(udfs, list) or not all(isinstance(udf, AnyUdf) for udf in udfs):
        raise UdfRegistryError(f"{module.__name__}.UDFS is {udfs!r}; expected a list of Udf.")
    return udfs


def register_all(spark: SparkSession, udfs: Iterable[AnyUdf] | None = None) -> list[AnyUdf]:
    """Register UDFs (default: all that `discover` finds) in a session and in those made later.

    Returns them. Raises UdfRegistryError that names the UDF Spark does not accept.
    """
    from pyspark.errors import PySparkException
    from pyspark.sql.functions import udtf
    from pyspark.sql.pandas.functions import arrow_udf

    registered = discover() if udfs is None else list(udfs)
    for udf in registered:
        try:
            if isinstance(udf, TableUdf):
                handler: Any = udtf(udf.handler, returnType=udf.return_type)
                spark.udtf.register(udf.name, handler)
            else:
                wrap: Any = arrow_udf
                spark.udf.register(udf.name, wrap(udf.function, udf.return_type))
        except (PySparkException, TypeError, ValueError) as error:
            code = udf.handler if isinstance(udf, TableUdf) else udf.function
            where = getattr(code, "__module__", "?")
            raise UdfRegistryError(f"UDF {udf.name!r} of {where}: {error}") from error
    _register_for_new_sessions(spark, registered)
    return registered


def _register_for_new_sessions(spark: SparkSession, udfs: Iterable[AnyUdf]) -> None:
    """Put what is registered in a session among the functions that each new session begins with.

    A server that gives each client a session of its own copies them from Spark's built-in
    functions.
    """
    jvm: Any = spark.sparkContext._jvm
    catalyst = jvm.org.apache.spark.sql.catalyst
    state: Any = spark._jsparkSession.sessionState()
    for udf in udfs:
        identifier = catalyst.FunctionIdentifier(udf.name)
        if isinstance(udf, TableUdf):
            of_session, built_in = state.tableFunctionRegistry(), "TableFunctionRegistry$"
        else:
            of_session, built_in = state.functionRegistry(), "FunctionRegistry$"
        of_new_sessions = getattr(getattr(catalyst.analysis, built_in), "MODULE$").builtin()
        of_new_sessions.registerFunction(
            identifier,
            of_session.lookupFunction(identifier).get(),
            of_session.lookupFunctionBuilder(identifier).get(),
        )

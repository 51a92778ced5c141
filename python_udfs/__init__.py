"""Python functions for SQL, used only where Spark SQL cannot say it.

Every module of this package tree may hold `UDFS: list[Udf]`; the server registers them all.
"""

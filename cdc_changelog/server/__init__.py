"""The local server: a Spark Thrift server in which the Python UDFs are registered."""

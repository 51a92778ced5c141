"""Python functions for SQL Server CES messages."""

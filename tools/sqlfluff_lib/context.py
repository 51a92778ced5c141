"""Stands in for dbt's names when SQL is linted without dbt."""

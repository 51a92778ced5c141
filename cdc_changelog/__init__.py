"""What surrounds the dbt models: the SQL client, the server, landing, and the commands."""

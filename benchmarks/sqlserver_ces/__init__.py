"""SQL Server CES's messages, with all columns and with the changed ones alone, and their floor."""

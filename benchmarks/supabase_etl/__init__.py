"""Supabase ETL's messages and their floor."""

"""Python functions for Savegress messages."""

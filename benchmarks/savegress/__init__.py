"""Savegress's messages and their floor."""

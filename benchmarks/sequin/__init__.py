"""Sequin's messages and their floor."""

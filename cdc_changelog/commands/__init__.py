"""The commands that `make` calls, and what they print with."""

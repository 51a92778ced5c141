"""Commands that watch over the project: checks, status, the life of a row."""

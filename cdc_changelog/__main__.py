"""`python -m cdc_changelog`: what `cdc` does."""

from __future__ import annotations

from cdc_changelog.commands.main import cdc

if __name__ == "__main__":
    cdc(prog_name="cdc")

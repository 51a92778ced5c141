"""What a full disk does to a server, and what its operator is told.

Statements fail by themselves, with the message of the component that could not write. But the
metastore's database (Derby) closes when its disk is full, opens again to be read only, and stays
so: then no client can connect, also when there is space again, until the server is started anew.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from cdc_changelog.config import CdcError

# Less free space than this counts as a full disk.
LOW_BYTES = 20_000_000


class DiskWatch:
    """Watches the free space of the data folder; asked again and again while a server runs."""

    def __init__(
        self,
        folder: Path,
        ask_metastore: Callable[[], object],
        log: Callable[[str], None],
        free_bytes: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    ) -> None:
        """Begin with a disk that has space; `ask_metastore` raises an error where it is closed."""
        self.folder, self.ask_metastore, self.log = folder, ask_metastore, log
        self.free_bytes = free_bytes
        self.was_full = False

    def look(self) -> None:
        """Say that the disk is full, or that it is so no more.

        Raises CdcError where the metastore does not answer although there is space again.
        """
        free = self.free_bytes(self.folder)
        if free < LOW_BYTES:
            if not self.was_full:
                self.log(f"The disk of {self.folder} is full ({free:,} bytes are left): runs fail.")
            self.was_full = True
            return
        if not self.was_full:
            return
        try:
            self.ask_metastore()
        except Exception as error:
            reason = str(error).strip().splitlines()[0][:300]
            raise CdcError(
                f"The disk of {self.folder} was full. There is space again, and the metastore stays"
                f" closed ({reason}): start the server anew; nothing is lost."
            ) from error
        self.was_full = False
        self.log(f"There is space again on the disk of {self.folder}.")

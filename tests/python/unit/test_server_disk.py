"""A full disk is said; a metastore that stays closed ends the server with what to do."""

from __future__ import annotations

from pathlib import Path

import pytest

from cdc_changelog.config import CdcError
from cdc_changelog.server.disk import LOW_BYTES, DiskWatch


class _Disk:
    """A disk with some free space, and a metastore that may be closed."""

    def __init__(self) -> None:
        self.free = 10 * LOW_BYTES
        self.is_closed = False
        self.said: list[str] = []
        self.watch = DiskWatch(Path("/data"), self.ask, self.said.append, lambda _: self.free)

    def ask(self) -> None:
        if self.is_closed:
            raise RuntimeError("a read-only database\nand more")


def test_a_full_disk_is_said_once_and_so_is_its_end() -> None:
    disk = _Disk()
    disk.watch.look()
    assert disk.said == []
    disk.free = 900_000
    disk.watch.look()
    disk.watch.look()
    disk.free = 10 * LOW_BYTES
    disk.watch.look()
    disk.watch.look()
    assert disk.said == [
        "The disk of /data is full (900,000 bytes are left): runs fail.",
        "There is space again on the disk of /data.",
    ]


def test_a_metastore_that_stays_closed_ends_the_server() -> None:
    disk = _Disk()
    disk.free, disk.is_closed = 0, True
    disk.watch.look()
    disk.free = 10 * LOW_BYTES
    with pytest.raises(CdcError, match=r"stays closed \(a read-only database\): start the server"):
        disk.watch.look()

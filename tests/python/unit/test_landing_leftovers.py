"""What a killed lander leaves behind is known from what another one works with."""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

from cdc_changelog.landing.leftovers import (
    LIFE_SECONDS,
    clear_folders,
    is_left_behind,
    make_folder,
    new_name,
)

A_DAY_AHEAD = time.time() + LIFE_SECONDS + 60
# No process has this number.
DEAD = new_name().replace(f"_{os.getpid()}_", "_99999999_")


def test_what_a_living_process_works_with_is_left_alone_however_old_it_is() -> None:
    assert not is_left_behind(new_name(), A_DAY_AHEAD)


def test_what_a_dead_process_made_is_left_behind_after_a_day() -> None:
    assert not is_left_behind(DEAD)
    assert is_left_behind(DEAD, A_DAY_AHEAD)


def test_a_process_of_another_machine_counts_as_gone_after_a_day() -> None:
    host = new_name().split("_")[3]
    foreign = new_name().replace(f"_{host}_", "_0badc0de_")
    assert not is_left_behind(foreign)
    assert is_left_behind(foreign, A_DAY_AHEAD)


def test_other_names_are_nobodys_leftovers() -> None:
    for name in ("_landed_files", "landing", "probe-1", "landing_1_2_3", f"{DEAD}_more"):
        assert not is_left_behind(name, A_DAY_AHEAD)


def test_only_what_was_left_behind_is_deleted(tmp_path: Path) -> None:
    seconds = int(DEAD.split("_")[1])
    old = DEAD.replace(f"_{seconds}_", f"_{seconds - LIFE_SECONDS - 60}_")
    for name in (old, DEAD, "probe-1"):
        (make_folder(tmp_path, name) / "0.parquet").write_text("a body")
    assert clear_folders(tmp_path) == [old]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([DEAD, "probe-1"])
    assert clear_folders(tmp_path / "missing") == []


def test_a_folder_of_bodies_is_readable_by_its_owner_alone(tmp_path: Path) -> None:
    folder = make_folder(tmp_path / "staging", "landing")
    for path in (folder, folder.parent):
        assert stat.S_IMODE(path.stat().st_mode) == 0o700

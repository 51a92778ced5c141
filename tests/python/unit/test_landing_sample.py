"""Mistakes that would land a whole file in vain are noticed before it lands."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from cdc_changelog.config import REPOSITORY
from cdc_changelog.landing.bodies import LandingError, inspect_file
from cdc_changelog.landing.files import file_names
from cdc_changelog.landing.sample import check_file
from cdc_changelog.project import specs

SPECS = specs()
VENDORS = [spec["name"] for spec in SPECS]
SAMPLES = sorted((REPOSITORY / "tests" / "python" / "vendors").glob("*/samples/*.jsonl"))
UNMISTAKABLE = {
    "qlik": '{"magic":"atMSG","type":"DT","headers":null,"message":{"data":{"id":1}}}',
    "savegress": '{"operation":"INSERT","table":"users","after":{"id":1}}',
    "sequin": '{"record":{"id":1},"action":"insert","metadata":{"table_name":"users"}}',
    "sqlserver_ces": '{"specversion":"1.0","logicalid":"a:b:1","data":"{}"}',
    "supabase_etl": '{"Insert":{"table_id":1,"table_row":[1]}}',
}


def _check(path: Path, vendor: str) -> None:
    check_file(inspect_file(path), vendor, SPECS)


@pytest.mark.parametrize("path", SAMPLES, ids=[path.name for path in SAMPLES])
def test_a_sample_of_a_vendor_is_its_own(path: Path) -> None:
    _check(path, path.parent.parent.name)


@pytest.mark.parametrize("owner", UNMISTAKABLE)
@pytest.mark.parametrize("vendor", VENDORS)
def test_messages_of_another_vendor_are_rejected(tmp_path: Path, vendor: str, owner: str) -> None:
    path = tmp_path / "orders.jsonl"
    path.write_text(f"{UNMISTAKABLE[owner]}\n" * 3)
    if vendor == owner:
        _check(path, vendor)
        return
    with pytest.raises(LandingError, match=f"3 of the first 3 bodies look like {owner}"):
        _check(path, vendor)


def test_a_few_odd_bodies_do_not_stop_a_file(tmp_path: Path) -> None:
    path = tmp_path / "orders.jsonl"
    path.write_text(f'{{"cut":\n{UNMISTAKABLE["sequin"]}\n\ufeff{UNMISTAKABLE["sequin"]}\n')
    _check(path, "sequin")


def test_a_document_that_was_cut_into_lines_is_rejected(tmp_path: Path) -> None:
    path = tmp_path / "pretty.json"
    path.write_text(json.dumps(json.loads(UNMISTAKABLE["sequin"]), indent=2))
    with pytest.raises(LandingError, match=r"no JSON; line 1 begins '\{'.*jq -c.*--force"):
        _check(path, "sequin")


def test_a_file_of_another_encoding_is_rejected_and_a_single_body_of_one_is_not(
    tmp_path: Path,
) -> None:
    latin = b'{"name":"Zo\xeb"}\n'
    path = tmp_path / "latin.jsonl"
    path.write_bytes(b'{"a":1}\n' * 99 + latin * 101)
    with pytest.raises(LandingError, match=r"line 100 is not UTF-8 .* at byte 12"):
        _check(path, "sequin")
    path.write_bytes(b'{"a":1}\n' * 300 + latin)
    _check(path, "sequin")


def test_what_is_no_file_is_rejected(tmp_path: Path) -> None:
    fifo = tmp_path / "pipe"
    os.mkfifo(fifo)
    for path, says in (
        (tmp_path, "is a folder"),
        (fifo, "is no file"),
        (tmp_path / "x", "not exist"),
    ):
        with pytest.raises(LandingError, match=says):
            inspect_file(path)


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("a;touch X", ["a;touch", "X"]),
        ("'a b.jsonl' c.jsonl", ["a b.jsonl", "c.jsonl"]),
        ("`id` $(id) ${x}", ["`id`", "$(id)", "${x}"]),
    ],
)
def test_names_of_files_are_data(text: str, names: list[str]) -> None:
    assert [str(path) for path in file_names(text)] == names


@pytest.mark.parametrize(
    "evil", ["a;touch {x}", "`touch {x}`", "$(touch {x})", "$(shell touch {x})"]
)
def test_make_hands_names_and_rows_on_and_runs_nothing_in_them(tmp_path: Path, evil: str) -> None:
    witness = tmp_path / "x"
    text = evil.format(x=witness)
    environment = os.environ | {"CDC_THRIFT_PORT": "1"}
    for command in (
        ["make", "land", "VENDOR=sequin", "SOURCE=s", f"FILES={text}"],
        ["make", "land", f"VENDOR={text}", f"SOURCE={text}", "FILES=a"],
        ["make", "explain", f"ROW=shop/orders/{text}"],
    ):
        done = subprocess.run(
            command, cwd=REPOSITORY, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode != 0, done.stdout
        assert not witness.exists(), command

"""What is decided before Spark starts."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from cdc_changelog.config import REPOSITORY, CdcError, ServerConfig, config_from_environment
from cdc_changelog.server.background import port_to_use, running_pid, status_text
from cdc_changelog.server.java import WRAPPER, java_release
from cdc_changelog.server.locks import DataDirLock, check_port_is_free, free_port, process_is_alive
from cdc_changelog.server.settings import (
    COORDINATES,
    local_settings,
    required_settings,
    spark_defaults_text,
)
from cdc_changelog.server.workarounds import unfinished_tables


def test_an_empty_environment_gives_the_defaults_of_the_contract() -> None:
    config = config_from_environment({})
    assert (config.host, config.port) == ("127.0.0.1", 10000)
    assert config.data_dir == REPOSITORY / ".local"
    assert (config.table_format, config.driver_memory) == ("delta", "4g")


def test_a_relative_data_folder_is_meant_from_the_repository() -> None:
    config = config_from_environment({"CDC_DATA_DIR": ".local/test"})
    assert config.data_dir == REPOSITORY / ".local" / "test"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CDC_THRIFT_PORT", "ten"),
        ("CDC_THRIFT_PORT", "70000"),
        ("CDC_TABLE_FORMAT", "parquet"),
        ("CDC_DRIVER_MEMORY", "lots"),
        ("CDC_SHARED_SESSION", "no"),
    ],
)
def test_a_wrong_value_is_rejected_with_its_variable_and_the_value(name: str, value: str) -> None:
    with pytest.raises(CdcError) as error:
        config_from_environment({name: value})
    assert name in str(error.value)
    assert repr(value) in str(error.value)


@pytest.mark.parametrize("table_format", ["delta", "iceberg"])
def test_every_setting_has_a_reason_and_is_made_once(table_format: str) -> None:
    config = ServerConfig(table_format=table_format)
    settings = required_settings(table_format) + local_settings(config, cores=2)
    assert all(setting.reason for setting in settings)
    keys = [setting.key for setting in settings]
    assert len(keys) == len(set(keys))


def test_settings_print_as_a_spark_defaults_file() -> None:
    text = spark_defaults_text(required_settings("delta"), COORDINATES["delta"])
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert "spark.sql.variable.substitute false" in lines
    assert all(len(line.split(" ", 1)) == 2 for line in lines)


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ('openjdk version "17.0.15" 2025-04-15', 17),
        ('java version "1.8.0_402"', 8),
        ('openjdk version "21" 2023-09-19', 21),
        ("command not found", None),
    ],
)
def test_the_java_release_is_read_from_what_java_prints(text: str, release: int | None) -> None:
    assert java_release(text) == release


def test_the_java_wrapper_drops_the_one_flag_and_keeps_spaces(tmp_path: Path) -> None:
    real = tmp_path / "real"
    real.write_text('#!/bin/sh\nfor argument in "$@"; do echo "[$argument]"; done\n')
    real.chmod(0o755)
    wrapper = tmp_path / "java"
    wrapper.write_text(WRAPPER.format(java=real))
    wrapper.chmod(0o755)
    answer = subprocess.run(
        [wrapper, "-cp", "a b", "--add-modules=jdk.incubator.vector", "$x", "Main"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert answer.stdout.splitlines() == ["[-cp]", "[a b]", "[$x]", "[Main]"]


def test_a_taken_port_is_named_with_the_variable_that_changes_it() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(CdcError, match=f"Port {port} .*CDC_THRIFT_PORT"):
            check_port_is_free(ServerConfig(port=port))


def test_a_free_port_passes() -> None:
    check_port_is_free(ServerConfig(port=free_port()))


def test_a_data_folder_in_use_names_the_process_and_the_folder(tmp_path: Path) -> None:
    config = ServerConfig(data_dir=tmp_path)
    with (
        DataDirLock.take(config),
        pytest.raises(CdcError, match=rf"{tmp_path}.*{os.getpid()}"),
    ):
        DataDirLock.take(config)


def test_the_lock_of_a_killed_process_is_taken_over(tmp_path: Path) -> None:
    code = (
        "import os, signal; from pathlib import Path;"
        "from cdc_changelog.config import ServerConfig; from cdc_changelog.server.locks import DataDirLock;"
        f"lock = DataDirLock.take(ServerConfig(data_dir=Path({str(tmp_path)!r})));"
        "os.kill(os.getpid(), signal.SIGKILL)"
    )
    killed = subprocess.run([sys.executable, "-c", code], cwd=REPOSITORY, check=False)
    assert killed.returncode < 0
    with DataDirLock.take(ServerConfig(data_dir=tmp_path)):
        assert str(os.getpid()) in (tmp_path / "server.lock").read_text()


def test_a_process_that_ended_is_not_alive() -> None:
    ended = subprocess.Popen([sys.executable, "-c", "pass"])
    ended.wait()
    assert process_is_alive(os.getpid())
    assert not process_is_alive(ended.pid)


def test_a_process_id_that_now_belongs_to_something_else_is_no_server(tmp_path: Path) -> None:
    config = ServerConfig(data_dir=tmp_path)
    config.pid_file.write_text(str(os.getpid()))
    assert running_pid(config) is None
    assert "No server" in status_text(config)
    assert port_to_use(config) > 0


def test_the_folder_of_a_table_that_was_not_finished_is_found(tmp_path: Path) -> None:
    for table in ("finished", "unfinished", "delta_table/_delta_log"):
        (tmp_path / "work.db" / table).mkdir(parents=True)
    (tmp_path / "of_others.db" / "table").mkdir(parents=True)
    found = unfinished_tables(tmp_path, {"work": {"finished"}, "default": set()})
    assert found == [tmp_path / "work.db" / "unfinished"]


@pytest.mark.parametrize(("table_format", "column"), [("delta", 1), ("iceberg", 2)])
def test_the_page_about_the_server_lists_every_setting_that_one_needs(
    table_format: str, column: int
) -> None:
    page = (REPOSITORY / "docs" / "server.md").read_text()
    listed: dict[str, str] = {}
    for line in page.splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if len(cells) == 4 and cells[0].startswith("spark."):
            value = cells[1] if cells[column] == "the same" else cells[column]
            listed |= {cells[0]: value} if value else {}
    assert listed == {setting.key: setting.value for setting in required_settings(table_format)}

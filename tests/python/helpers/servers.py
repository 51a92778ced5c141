"""Servers that a test has for itself."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from cdc_changelog.config import REPOSITORY, ServerConfig, config_from_environment
from cdc_changelog.server.background import START_TIMEOUT_SECONDS, running_server
from cdc_changelog.server.locks import free_port
from cdc_changelog.server.ready import wait_until_ready

WITHOUT_PYTHON_FUNCTIONS = """
import sys
from cdc_changelog.server import serve
serve.registry.register_all = lambda spark: []
sys.argv[1:] = ["--stop-with-parent"]
sys.exit(serve.main())
"""


@contextmanager
def server_with_private_sessions(
    folder: Path, *, has_python_functions: bool = True
) -> Iterator[ServerConfig]:
    """A server that gives each client a session of its own, with our Python functions or without.

    `cdc_lock_in` has to be `table` in its projects.
    """
    config = replace(
        config_from_environment(), port=free_port(), data_dir=folder, has_shared_session=False
    )
    if has_python_functions:
        with running_server(config):
            yield config
        return
    environment = {
        "CDC_THRIFT_HOST": config.host,
        "CDC_THRIFT_PORT": str(config.port),
        "CDC_DATA_DIR": str(config.data_dir),
        "CDC_SHARED_SESSION": "false",
    }
    with subprocess.Popen(
        [sys.executable, "-c", WITHOUT_PYTHON_FUNCTIONS],
        cwd=REPOSITORY,
        env=os.environ | environment,
        stdin=subprocess.DEVNULL,
    ) as process:
        try:
            wait_until_ready(config, START_TIMEOUT_SECONDS)
            yield config
        finally:
            process.terminate()

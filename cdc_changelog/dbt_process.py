"""dbt as a process that says every few seconds that its run is alive.

`python -m cdc_changelog.dbt_process run` is `dbt run`. The environment variable CDC_RUN has the
name under which the run takes the lock; without it there is nothing to say. A run whose heartbeat
has stopped for a minute counts as killed (macro cdc_is_run_alive), and one that goes on for hours
does not.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from contextlib import closing

from cdc_changelog.client import ServerError, connect, run_sql
from cdc_changelog.config import config_from_environment
from cdc_changelog.lock import heartbeat_statement

HEARTBEAT_SECONDS = 15


def _say_that_the_run_is_alive(run_name: str) -> None:
    """Note heartbeats for ever. Where the server cannot take one, the next one is in time."""
    config = config_from_environment()
    while True:
        with contextlib.suppress(ServerError), closing(connect(config.host, config.port)) as server:
            while True:
                run_sql(server, heartbeat_statement(run_name))
                time.sleep(HEARTBEAT_SECONDS)
        time.sleep(HEARTBEAT_SECONDS)


def main() -> None:
    """Run dbt with the arguments of this process."""
    run_name = os.environ.get("CDC_RUN")
    if run_name:
        threading.Thread(target=_say_that_the_run_is_alive, args=(run_name,), daemon=True).start()
    from dbt.cli.main import cli

    sys.argv[0] = "dbt"
    cli()


if __name__ == "__main__":
    main()

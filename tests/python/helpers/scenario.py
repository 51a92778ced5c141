"""Scenarios: one project through its life, in which each step is looked at when it is done."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

import pytest

from cdc_changelog.commands.build import ALL_VIEWS
from cdc_changelog.landing.bodies import Message
from tests.python.helpers.dbt_project import DbtError, DbtProject

TABLES = "vendor,source,schema_name,table_name,key_columns,history_ignored_columns,replica_identity,column_names"
EPOCHS = "vendor,source,schema_name,table_name,epoch,starts_at,first_landing_batch,resets_table"
CURRENT_ROWS = (
    "select table_name, row_key, `row`, is_deleted from {cdc}.cdc_current_rows order by 1, 2"
)
VERSIONS = (
    "select table_name, row_key, version_number, `row`, valid_from_position, valid_to_position"
    " from {cdc}.cdc_row_versions order by 1, 2, 3"
)


def change(table: str, position: str, after: dict[str, Any], key: list[str] | None) -> Message:
    """An update with a full image at second `position`."""
    return Message(
        json.dumps(
            {
                "id": f"{table}-{position}",
                "table": table,
                "operation": "update",
                "key": key,
                "after": after,
                "after_image": "full",
                "position": position,
                "committed_at": f"2026-01-01T00:00:{int(position):02d}Z",
            }
        )
    )


def configure(project: DbtProject, tables: list[str], epochs: list[str] | None = None) -> None:
    """Write the lines of both seeds and load them."""
    seeds = project.folder / "seeds" / "config"
    (seeds / "cdc_tables.csv").write_text("\n".join([TABLES, *tables]) + "\n")
    (seeds / "cdc_epochs.csv").write_text("\n".join([EPOCHS, *(epochs or [])]) + "\n")
    project.dbt("seed", "--full-refresh")


# Blanks around a name do not matter.
VISITS = " acme, shop ,*, visits,page,,,"
VISITS_HAVE_KEY_IMAGES = "acme,shop,*,visits,page,,default,"
SEEN_OPENS_NO_VERSION = "acme,shop,*,people,,seen,,"
CLICKS = "acme,shop,*,clicks,page,,,"
TAPS = "acme,shop,*,taps,page,,,"
MAIL_IS_KEY = "acme,shop,*,people,mail,,,"


# Table `people` has its key in the messages; that of `visits` is not known without configuration.
PEOPLE_AND_A_VISIT = [
    change("people", "10", {"id": 1, "mail": "a@x", "seen": 1}, ["id"]),
    change("people", "20", {"id": 1, "mail": "a@x", "seen": 2}, ["id"]),
    change("visits", "11", {"page": "start", "count": 1}, None),
]


@dataclass
class StepResult:
    """What a step of the scenario left behind, and what dbt said where it failed."""

    rows: list[tuple[Any, ...]]
    versions: list[tuple[Any, ...]]
    pending: list[tuple[Any, ...]]
    error: str | None = None

    def versions_of(self, table: str) -> list[tuple[Any, ...]]:
        """Number, row and positions of the versions of a table."""
        return [row[2:] for row in self.versions if row[0] == table]


@dataclass
class Scenario:
    """One project through its life; each step is looked at when it is done."""

    project: DbtProject
    seen: dict[str, StepResult] = field(default_factory=dict)

    def look(self, step: str, error: str | None = None) -> None:
        """Keep what there is now."""
        query = self.project.query
        pending = query("select table_name, reason from {cdc}.cdc_pending_messages")
        self.seen[step] = StepResult(query(CURRENT_ROWS), query(VERSIONS), pending, error)

    def run(self, step: str, *arguments: str, **variables: Any) -> None:
        """Run dbt and look; views are left out when they are there, as in `make run`."""
        left_out = ("--exclude", ALL_VIEWS) if self.seen else ()
        self.project.dbt("run", *left_out, *arguments, **variables)
        self.look(step)

    def run_that_fails(
        self, step: str, *arguments: str, command: str = "run", **variables: Any
    ) -> None:
        """Run dbt, which has to fail, and look."""
        with pytest.raises(DbtError) as failed:
            self.project.dbt(command, *arguments, **variables)
        self.look(step, str(failed.value))

    def land(self, position: str, number: int, mail: str) -> None:
        """One more row of `people`."""
        row = {"id": number, "mail": mail, "seen": 1}
        self.project.land("acme", "shop", [change("people", position, row, ["id"])])


def drop_raw_batch(project: DbtProject, batch: int) -> None:
    """Delete the raw messages of a batch, as a retention job would."""
    project.query(f"delete from {{raw}}.acme where landing_batch = {batch}")

"""The published sample messages of every vendor, and the fixture scenario landed beside them."""

from __future__ import annotations

from cdc_changelog.commands.build import MADE_OF_CONFIGURATION, PUBLIC_VIEWS
from cdc_changelog.config import REPOSITORY
from cdc_changelog.landing.bodies import inspect_file, read_bodies
from cdc_changelog.landing.raw_tables import messages_as_sql
from cdc_changelog.project import specs
from tests.python.helpers.dbt_project import DbtProject

VENDOR_FOLDERS = REPOSITORY / "tests" / "python" / "vendors"
VENDORS = [spec["name"] for spec in specs()]


def land_samples(project: DbtProject, vendor: str) -> None:
    """Land a vendor's sample files, each a source of its own, in one statement."""
    files = sorted((VENDOR_FOLDERS / vendor / "samples").glob("*.jsonl"))
    messages = [message for file in files for message in read_bodies(inspect_file(file))]
    project.query(
        f"insert into {{raw}}.{vendor} (value, topic, `offset`, source, landing_batch)"
        " select cast(unbase64(m.value) as string), m.topic, m.`offset`,"
        " concat('sample_', replace(replace(m.topic, 'file:', ''), '.jsonl', '')), 1 from "
        + messages_as_sql(messages)
    )


def build_fixture_scenario(project: DbtProject) -> None:
    """Land the scenario in three runs, the sample messages in the first of them."""
    project.dbt("seed")
    for vendor in VENDORS:
        land_samples(project, vendor)
    # The typed tables have a column that comes with the last batch.
    project.dbt("run", "--exclude", "tag:fixtures", cdc_fixture_batches=[1])
    unchanged = ("tag:fixtures", PUBLIC_VIEWS, *MADE_OF_CONFIGURATION)
    project.dbt("run", "--exclude", *unchanged, cdc_fixture_batches=[1, 2])
    project.dbt("run")


def assert_scenario_comes_out(project: DbtProject) -> None:
    """Compare the scenario's marts with the expected ones, and run the data tests of all models."""
    for mart in ("changelog", "current_rows", "row_versions"):
        assert project.query(f"select * from {{cdc}}.fixture_{mart}_differences") == [], mart
    project.dbt("test", "--exclude", "test_type:unit")

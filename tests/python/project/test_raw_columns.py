"""The columns of raw messages stand in three places, for dbt, for landing and for readers: they agree."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml

from cdc_changelog.config import REPOSITORY
from cdc_changelog.landing.raw_tables import RAW_COLUMNS

SOURCES = sorted((REPOSITORY / "models" / "staging").glob("*/_*__sources.yml"))


def test_landing_makes_the_columns_that_the_models_read() -> None:
    text = (REPOSITORY / "macros" / "columns" / "cdc_raw_columns.sql").read_text()
    columns = text.split("{%- set columns -%}")[1].split("{%- endset -%}")[0]
    of_models = [tuple(line.split(maxsplit=1)) for line in columns.strip().splitlines()]
    of_landing = [(name, kind.replace(", ", ",")) for name, kind, _ in RAW_COLUMNS]
    assert of_landing == of_models


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.parent.name)
def test_each_vendors_source_describes_all_columns_in_their_order(path: Path) -> None:
    text = re.sub(r'"{{.*?}}"', "text", path.read_text())
    [source] = yaml.safe_load(text)["sources"]
    for table in source["tables"]:
        assert [column["name"] for column in table["columns"]] == [name for name, *_ in RAW_COLUMNS]
        assert all(column["description"] for column in table["columns"])

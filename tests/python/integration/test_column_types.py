"""Every documented type of every vendor: the value in a message becomes the value that its page says."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cdc_changelog.column_types import TypedColumn, type_of
from cdc_changelog.commands.table import cast_error_sql, column_sql
from cdc_changelog.project import column_types, specs
from tests.python.helpers.dbt_project import DbtProject

VENDORS = [spec["name"] for spec in specs()]
# Values of types whose cast has something to lose, and whether it says so.
LOSSES = (
    ("bigint", "1.5", True),
    ("int", "4294967296", True),
    ("decimal(5,2)", '"1.255"', True),
    ("decimal(5,2)", '"1.25"', False),
    ("decimal(5,2)", '"1.250"', False),
    ("date", '"infinity"', True),
    ("boolean", '"maybe"', True),
    ("bigint", "null", False),
)


def typed(vendor: str, known: dict[str, str]) -> TypedColumn:
    """Return the column of one line of a vendor's list, as `cdc table` types it."""
    if "{precision}" in known["type"]:
        return type_of(vendor, known["name"], None, None)
    return TypedColumn("", known["type"], "", known.get("sql"))


def model(examples: list[tuple[TypedColumn, str]]) -> str:
    """Return a model with the typed value of each example as text, and what could not be cast."""
    document = ",".join(f'"c{number}":{sent}' for number, (_, sent) in enumerate(examples))
    literal = document.replace("\\", "\\\\").replace("'", "\\'")
    columns = [
        TypedColumn(f"c{number}", column.type, "", column.sql)
        for number, (column, _) in enumerate(examples)
    ]
    selected = [f"cast({column_sql(column)} as string) as {column.name}" for column in columns]
    selected += [f"{cast_error_sql(column)} as {column.name}_error" for column in columns]
    fields = "{{ cdc_changelog.cdc_json_fields('document') }}"
    return (
        f"select {', '.join(selected)} from (select {fields} as fields from"
        f" (select '{{{literal}}}' as document) as one) as of_document"
    )


@pytest.fixture(scope="module")
def examples(make_project: Callable[..., DbtProject]) -> dict[str, dict[str, str | None]]:
    project = make_project("cdc_column_types")
    folder = project.folder / "models" / "types"
    folder.mkdir()
    for vendor in VENDORS:
        listed = [(typed(vendor, known), known["sent"]) for known in column_types(vendor)]
        (folder / f"types_{vendor}.sql").write_text(model(listed))
    losses = [(TypedColumn("", spark_type, ""), sent) for spark_type, sent, _ in LOSSES]
    (folder / "types_losses.sql").write_text(model(losses))
    project.dbt("run", "--select", *(path.stem for path in folder.glob("*.sql")))
    found = {}
    for name in (*VENDORS, "losses"):
        names = [row[0] for row in project.query(f"describe {{cdc}}.types_{name}")]
        [row] = project.query(f"select * from {{cdc}}.types_{name}")
        found[name] = dict(zip(names, row, strict=True))
    return found


@pytest.mark.server
@pytest.mark.parametrize("vendor", VENDORS)
def test_each_documented_type_becomes_what_the_page_says(
    examples: dict[str, dict[str, str | None]], vendor: str
) -> None:
    listed = column_types(vendor)
    becomes = {
        f"{known['name']}: {known['sent']}": examples[vendor][f"c{number}"]
        for number, known in enumerate(listed)
    }
    assert becomes == {f"{known['name']}: {known['sent']}": known["becomes"] for known in listed}
    assert {value for name, value in examples[vendor].items() if name.endswith("_error")} == {None}


@pytest.mark.server
def test_a_value_that_a_column_cannot_hold_is_named_and_not_rounded_in_silence(
    examples: dict[str, dict[str, str | None]],
) -> None:
    lost = examples["losses"]
    assert [lost[f"c{number}_error"] is not None for number in range(len(LOSSES))] == [
        is_lost for _, _, is_lost in LOSSES
    ]

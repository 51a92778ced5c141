"""Which Spark type a column gets: by what messages say of it, else by the values seen."""

from __future__ import annotations

import json

import pytest

from cdc_changelog.column_types import type_of, types_of_schema, types_of_values
from cdc_changelog.project import column_types, specs

VENDORS = [spec["name"] for spec in specs()]
# Vendors whose messages name no types: what the list says must be what the values tell.
BY_VALUES = [spec["name"] for spec in specs() if spec["columns_model"] is None]


def seen(*values: object) -> str:
    """Return the type of a column with these values."""
    [column] = types_of_values(json.dumps({"c": value}) for value in values)
    return column.type


@pytest.mark.parametrize("vendor", BY_VALUES)
def test_a_documented_type_is_found_by_its_value_alone(vendor: str) -> None:
    for known in column_types(vendor):
        if known.get("sql"):
            [column] = types_of_values([f'{{"c": {known["sent"]}}}'])
            assert (column.type, column.sql) == (known["type"], known["sql"]), known["name"]
        else:
            assert seen(json.loads(known["sent"])) == known["type"], known["name"]


@pytest.mark.parametrize("vendor", VENDORS)
def test_every_type_of_a_vendor_is_listed_once_with_an_example(vendor: str) -> None:
    types = column_types(vendor)
    names = [known["name"] for known in types]
    assert len(names) == len(set(names)) > 10
    assert all(known["sent"] and known["becomes"] and known["type"] for known in types)


def test_whole_numbers_are_bigint_and_with_fractions_double() -> None:
    assert seen(1, None, -7) == "bigint"
    assert seen(1, 2.5) == "double"
    assert seen(2.5, "NaN") == "double"
    assert seen(2**70, 1) == "decimal(38,0)"


def test_decimals_that_are_sent_as_text_keep_the_largest_scale_seen() -> None:
    assert seen("1.5", "20.125", "3") == "decimal(38,3)"


def test_digits_alone_stay_text_since_they_may_be_a_code() -> None:
    assert seen("00123", "4") == "string"


def test_times_are_timestamps_with_and_without_a_zone() -> None:
    assert seen("2026-03-01 10:00:00", "2026-03-01T10:00:00.123456Z") == "timestamp"
    assert seen("2026-03-01", "2026-03-02") == "date"
    assert seen("2026-03-01", "2026-03-01 10:00:00+02") == "timestamp"
    assert seen("2026-03-01", "soon") == "string"


def test_lists_of_one_kind_are_arrays_and_other_lists_and_objects_are_json_text() -> None:
    assert seen([1, None], []) == "array<bigint>"
    assert seen([1], [0.5]) == "array<double>"
    assert seen(["a"], None) == "array<string>"
    assert seen([1, "a"]) == "string"
    assert seen({"a": 1}, [1]) == "string"


def test_a_column_without_a_value_is_text_and_says_so() -> None:
    [column] = types_of_values(['{"c": null}', '{"c": null}'])
    assert (column.type, column.reason) == ("string", "null in all 2 rows seen")


def test_columns_keep_the_order_in_which_they_were_seen_and_keys_are_marked() -> None:
    columns = types_of_values(['{"id": 1, "b": 2}', '{"id": 2, "a": 1, "b": 3}'], ["id"])
    assert [(column.name, column.is_key) for column in columns] == [
        ("id", True),
        ("b", False),
        ("a", False),
    ]


@pytest.mark.parametrize(
    ("sent", "precision", "scale", "expected"),
    [
        ("decimal(12, 2)", None, None, "decimal(12,2)"),
        ("decimal(9)", None, None, "decimal(9,0)"),
        ("NUMERIC", 30, 4, "decimal(30,4)"),
        ("NUMERIC", 40, 4, "decimal(38,18)"),
        ("numeric", None, None, "decimal(38,18)"),
    ],
)
def test_a_decimal_takes_precision_and_scale_from_where_they_are_said(
    sent: str, precision: int | None, scale: int | None, expected: str
) -> None:
    found = {
        type_of(vendor, sent, precision, scale).type
        for vendor in VENDORS
        if any("{precision}" in known["type"] for known in column_types(vendor))
        and any(
            known["name"].lower() == sent.lower().partition("(")[0]
            for known in column_types(vendor)
        )
    }
    assert found == {expected}


def test_a_type_that_no_list_has_is_text_and_says_so() -> None:
    vendor = next(name for name in VENDORS if name not in BY_VALUES)
    column = type_of(vendor, "hyperloglog", None, None)
    assert column.type == "string"
    assert "does not list" in column.reason


def test_a_schema_gives_its_columns_in_the_order_of_the_table() -> None:
    vendor = next(name for name in VENDORS if name not in BY_VALUES)
    known = column_types(vendor)[0]
    columns = [
        {"name": "b", "type": known["name"], "ordinal": 2, "precision": None, "scale": None},
        {"name": "a", "type": known["name"], "ordinal": 1, "precision": None, "scale": None},
    ]
    typed = types_of_schema(vendor, columns, ["a"])
    assert [(column.name, column.is_key) for column in typed] == [("a", True), ("b", False)]
    assert {column.type for column in typed} == {known["type"]}

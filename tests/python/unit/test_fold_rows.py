"""What changes leave in rows whose past matters."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from python_udfs.rows.connect_rows import connect, connect_rows
from python_udfs.rows.fold_rows import (
    EVENT_FIELDS,
    Event,
    FoldOneByOne,
    Result,
    fold_group,
    fold_rows,
)
from python_udfs.rows.json_columns import join_columns, split_columns


def _event(row: str, operation: str, image: str | None = None, **more: Any) -> Event:
    values: dict[str, Any] = dict.fromkeys(EVENT_FIELDS)
    values |= {"row_id": row, "operation": operation, "image": image, "image_kind": "partial"}
    values |= {
        "transaction_scope": "t",
        "change_id": f"{row}{operation}",
    } | more
    return Event(**values)


def _moves(old: str, new: str, image: str, change: str, kind: str = "partial") -> list[Event]:
    out = _event(old, "update", side="out", change_id=change, moved_to_row_key=new)
    into = _event(new, "update", image, side="in", change_id=change, image_kind=kind)
    return [out, into]


def test_columns_are_cut_out_as_they_are_written() -> None:
    text = '{"a":1.50,"b":{"a":[1,{"b":null}]},"c":"x\\"y}","d":12345678901234567890123}'
    columns = split_columns(text)
    assert columns['"a"'] == "1.50"
    assert columns['"b"'] == '{"a":[1,{"b":null}]}'
    assert columns['"d"'] == "12345678901234567890123"
    assert join_columns(columns) == text


def test_an_absent_column_keeps_its_value_and_a_null_overwrites() -> None:
    first, second = fold_group(
        [
            _event("r", "insert", '{"id":1,"a":"x","b":"y"}', image_kind="full"),
            _event("r", "update", '{"id":1,"a":null}'),
        ]
    )
    assert (first.row, first.is_partial) == ('{"id":1,"a":"x","b":"y"}', False)
    assert (second.row, second.is_partial) == ('{"id":1,"a":null,"b":"y"}', False)


def test_nothing_is_inherited_across_a_delete() -> None:
    results = fold_group(
        [
            _event("r", "insert", '{"id":1,"a":"x"}', image_kind="full"),
            _event("r", "delete"),
            _event("r", "update", '{"id":1}'),
        ]
    )
    assert [result.effect for result in results] == ["upsert", "close", "upsert"]
    assert (results[2].row, results[2].is_partial) == ('{"id":1}', True)


def test_nothing_is_inherited_across_a_truncate() -> None:
    results = fold_group(
        [
            _event("r", "insert", '{"id":1,"a":"x"}', image_kind="full"),
            _event("r", "truncate"),
            _event("r", "update", '{"id":1}'),
        ]
    )
    assert [result.effect for result in results] == ["upsert", "close", "upsert"]
    assert results[2].row == '{"id":1}'


def test_values_travel_with_a_key_change_through_a_chain() -> None:
    results = fold_group(
        [
            _event("1", "insert", '{"id":1,"a":"x"}', image_kind="full"),
            *_moves("1", "2", '{"id":2}', "m1"),
            *_moves("2", "3", '{"id":3}', "m2"),
        ]
    )
    assert [result.effect for result in results] == ["upsert", "close", "upsert", "close", "upsert"]
    assert results[4].row == '{"id":3,"a":"x"}'


def test_adding_one_to_every_key_ends_with_all_rows() -> None:
    inserts = [
        _event(str(number), "insert", f'{{"id":{number},"a":"{number}"}}', image_kind="full")
        for number in (1, 2, 3)
    ]
    moves = [
        *_moves("1", "2", '{"id":2}', "m1"),
        *_moves("2", "3", '{"id":3}', "m2"),
        *_moves("3", "4", '{"id":4}', "m3"),
    ]
    results = fold_group(inserts + moves)
    assert [result.effect for result in results[3:]] == [
        "close", "upsert", "none", "upsert", "none", "upsert",
    ]  # fmt: skip
    assert [result.row for result in results if result.effect == "upsert"][3:] == [
        '{"id":2,"a":"1"}', '{"id":3,"a":"2"}', '{"id":4,"a":"3"}',
    ]  # fmt: skip
    assert (results[4].displaced_by, results[4].displaced_moved_to_row_key) == ("key_change", "3")


def test_a_delete_acts_on_the_row_that_was_displaced_in_its_transaction_only() -> None:
    inserts = [
        _event("1", "insert", '{"id":1}', image_kind="full"),
        _event("2", "insert", '{"id":2}', image_kind="full"),
    ]
    same = fold_group([*inserts, *_moves("1", "2", '{"id":2}', "m"), _event("2", "delete")])
    later = fold_group(
        [*inserts, *_moves("1", "2", '{"id":2}', "m"), _event("2", "delete", transaction_scope="u")]
    )
    assert (same[-1].effect, same[-2].displaced_by) == ("none", "delete")
    assert (later[-1].effect, later[-2].displaced_by) == ("close", "key_change")


def test_an_arrow_slice_of_groups_gives_one_result_per_event() -> None:
    names = [pa.field(name, pa.string()) for name in EVENT_FIELDS]
    groups = [
        [],
        [_event("a", "insert", '{"id":1}', image_kind="full"), _event("a", "delete")],
        [_event("b", "update", '{"id":2}')],
    ]
    rows = [
        [{name: getattr(event, name) for name in EVENT_FIELDS} for event in group]
        for group in groups
    ]
    array = pa.array(rows, type=pa.list_(pa.struct(names)))
    found = fold_rows(array.slice(1)).to_pylist()
    assert [[result["effect"] for result in group] for group in found] == [
        ["upsert", "close"],
        ["upsert"],
    ]
    assert found[1][0]["is_partial"] is True


def test_rows_connected_by_moves_share_the_least_of_them_whatever_the_order() -> None:
    moves = [("d", "c"), ("b", "a"), ("c", "b"), ("x", "y")]
    expected = {"a": "a", "b": "a", "c": "a", "d": "a", "x": "x", "y": "x"}
    assert connect(moves) == connect(list(reversed(moves))) == expected


def test_a_chain_of_a_hundred_thousand_moves_is_connected() -> None:
    moves = [(f"{number:07d}", f"{number + 1:07d}") for number in range(100_000)]
    assert set(connect(moves).values()) == {"0000000"}


def test_connect_rows_reads_arrow_lists() -> None:
    moves = pa.array([[{"row_id_before": "b", "row_id": "a"}], []])
    assert connect_rows(moves).to_pylist()[0] == [
        {"row_id": "b", "group_id": "a"},
        {"row_id": "a", "group_id": "a"},
    ]


def test_a_result_without_effect_has_no_row() -> None:
    assert Result("none").row is None


def test_an_image_as_deep_as_spark_reads_can_be_folded() -> None:
    image = '{"doc":' + "[" * 998 + "]" * 998 + "}"
    assert join_columns(split_columns(image)) == image


def test_changes_that_come_one_by_one_give_what_an_array_of_them_gives() -> None:
    events = [
        _event("1", "insert", '{"id":1,"a":"x"}', image_kind="full"),
        _event("2", "insert", '{"id":2,"a":"y"}', image_kind="full"),
        *_moves("1", "2", '{"id":2}', "first"),
        *_moves("2", "3", '{"id":3}', "second"),
        _event("2", "update", '{"b":1}', transaction_scope="later"),
        *_moves("3", "2", '{"id":2}', "third"),
    ]
    one_by_one = FoldOneByOne()
    found = []
    for number, event in enumerate(events):
        row: Any = vars(event) | {"row_group": "g", "number_in_group": number}
        found += list(one_by_one.eval(row))
    found += list(one_by_one.terminate())
    assert [(group, number) for group, number, *_ in found] != sorted(
        (group, number) for group, number, *_ in found
    ), "what displaced a row is given last"
    assert [result for _, _, *result in sorted(found)] == [
        [
            result.effect,
            result.row,
            result.is_partial,
            result.displaced_by,
            result.displaced_moved_to_row_key,
        ]
        for result in fold_group(events)
    ]

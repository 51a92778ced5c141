"""Groups of rows that key changes with partial images connect: one needs the past of all."""

from __future__ import annotations

from itertools import pairwise

import pyarrow as pa

from python_udfs.registry import Udf

RESULT_TYPE = "array<struct<row_id:string,group_id:string>>"


def connect(moves: list[tuple[str, str]]) -> dict[str, str]:
    """Return, for every row of the moves (row before, row after), the least row of its group.

    >>> connect([("b", "c"), ("a", "b"), ("x", "y")])
    {'b': 'a', 'c': 'a', 'a': 'a', 'x': 'x', 'y': 'x'}
    """
    parents: dict[str, str] = {}

    def root(row: str) -> str:
        parents.setdefault(row, row)
        path = []
        while parents[row] != row:
            path.append(row)
            row = parents[row]
        for passed in path:
            parents[passed] = row
        return row

    for before, after in moves:
        first, second = root(before), root(after)
        parents[max(first, second)] = min(first, second)
    return {row: root(row) for row in list(parents)}


def connect_rows(moves: pa.Array) -> pa.Array:
    """Arrow form of connect.

    list<struct<row_id_before, row_id>> in, list<struct<row_id, group_id>> out.
    """
    pairs = moves.flatten()
    offsets = [offset - moves.offsets[0].as_py() for offset in moves.offsets.to_pylist()]
    before = pairs.field("row_id_before").to_pylist()
    after = pairs.field("row_id").to_pylist()
    rows: list[str] = []
    groups: list[str] = []
    ends = [0]
    for start, end in pairwise(offsets):
        found = connect(list(zip(before[start:end], after[start:end], strict=True)))
        rows.extend(found)
        groups.extend(found.values())
        ends.append(len(rows))
    values = pa.StructArray.from_arrays(
        [pa.array(rows, type=pa.string()), pa.array(groups, type=pa.string())],
        names=["row_id", "group_id"],
    )
    return pa.ListArray.from_arrays(pa.array(ends, type=pa.int32()), values)


UDFS = [Udf("cdc_connect_rows", connect_rows, RESULT_TYPE)]

"""Decode the column masks of Qlik Replicate into column ordinals.

A mask is a string of hexadecimal digits. Read as one big-endian integer, bit i stands for the
column of ordinal i + 1: "008080" has bits 7 and 15, the columns 8 and 16.
"""

from __future__ import annotations

import re

import pyarrow as pa

from python_udfs.registry import Udf

BYTE_ORDERS = ("big", "little")
# A table has at most some thousands of columns; a longer text is no mask.
LONGEST_MASK = 4096

_MASK = re.compile(rf"[0-9A-Fa-f]{{1,{LONGEST_MASK}}}")


def mask_ordinals(mask: str, byte_order: str = "big") -> list[int] | None:
    """Return the ordinals whose bit is set, ascending; None if the text is no mask.

    `mask_ordinals("0B")` is [1, 2, 4]; `mask_ordinals("0080", "little")` is [16], and an odd
    number of digits counts as if a zero stood before it.
    """
    if byte_order not in BYTE_ORDERS:
        raise ValueError(f"byte order {byte_order!r}: expected one of {', '.join(BYTE_ORDERS)}.")
    if not _MASK.fullmatch(mask):
        return None
    octets = bytes.fromhex(mask.zfill(len(mask) + len(mask) % 2))
    if byte_order == "little":
        octets = octets[::-1]
    return [
        8 * octet_index + bit + 1
        for octet_index, octet in enumerate(reversed(octets))
        for bit in range(8)
        if octet >> bit & 1
    ]


def masks_ordinals(masks: pa.Array, byte_orders: pa.Array) -> pa.Array:
    """Apply `mask_ordinals` to whole arrays of masks and byte orders; null in, null out."""
    return pa.array(
        [
            None if mask is None or byte_order is None else mask_ordinals(mask, byte_order)
            for mask, byte_order in zip(masks.to_pylist(), byte_orders.to_pylist(), strict=True)
        ],
        type=pa.list_(pa.int32()),
    )


UDFS = [Udf("cdc_qlik_mask_ordinals", masks_ordinals, "array<int>")]

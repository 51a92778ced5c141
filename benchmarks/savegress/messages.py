"""The benchmark's history as Savegress sends it: flat events of a PostgreSQL source with full images."""

from __future__ import annotations

from benchmarks.history import DELETE, OPERATIONS, Change, row_text

CONFIGURATION = [("savegress", "bench", "shop", "orders", '["id"]', None, "full", None)]


def encode(change: Change) -> list[str]:
    """Write a change with the images that its operation has."""
    time = f"{change.committed_at:%Y-%m-%dT%H:%M:%S.%fZ}"
    lsn = 0xFFFFFF00 + change.transaction * 0x18
    before = "null" if change.values_before is None else row_text(change.values_before)
    after = row_text(change.values)
    if change.operation == DELETE:
        before, after = after, "null"
    return [
        f'{{"id":"evt-{change.number:012}","source":"postgres","schema":"shop","table":"orders",'
        f'"operation":"{OPERATIONS[change.operation].upper()}","timestamp":"{time}",'
        f'"transaction_id":"tx-{change.transaction}",'
        f'"position":{{"lsn":"{lsn >> 32:X}/{lsn & 0xFFFFFFFF:X}","sequence":{change.index}}},'
        f'"before":{before},"after":{after},"metadata":{{"connector_version":"1.0.0",'
        f'"database":"shopdb","server":"db1.example.com","server_id":12345,"captured_at":"{time}"}}}}'
    ]

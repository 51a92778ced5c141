"""The benchmark's history as Sequin sends it: one change a message, full replica identity."""

from __future__ import annotations

import base64

from benchmarks.history import OPERATIONS, UPDATE, Change, row_text

CONFIGURATION = [("sequin", "bench", "shop", "orders", '["id"]', None, "full", None)]
CONSUMER = (
    '{"id":"282713d8-76c4-42db-8e16-3e0df04cc5f6","name":"shop_sink","annotations":{"team":"shop"}}'
)
DATABASE = (
    '{"id":"12345678-9abc-def0-1234-56789abcdef0","name":"shop-prod","annotations":{},'
    '"database":"shop","hostname":"db.example.com"}'
)
FIRST_LSN = 73_220_408


def encode(change: Change) -> list[str]:
    """Write a change; an update brings the old values of what it changed."""
    old_values = "null"
    if change.operation == UPDATE and change.values_before is not None:
        old_values = row_text(change.values_before, change.changed)
    lsn = FIRST_LSN + 256 * change.transaction
    key = base64.b64encode(f"{lsn}:{change.index}".encode()).decode()
    return [
        f'{{"record":{row_text(change.values)},"metadata":{{"consumer":{CONSUMER},'
        f'"database":{DATABASE},"table_name":"orders","record_pks":["{change.key}"],'
        f'"enrichment":null,"commit_timestamp":"{change.committed_at:%Y-%m-%dT%H:%M:%S.%fZ}",'
        f'"commit_lsn":{lsn},"commit_idx":{change.index},"transaction_annotations":null,'
        f'"table_schema":"shop","idempotency_key":"{key}","database_name":"shop-prod"}},'
        f'"action":"{OPERATIONS[change.operation]}","changes":{old_values}}}'
    ]

"""The benchmark's history as Qlik Replicate sends it: enveloped messages of about 800 bytes."""

from __future__ import annotations

from benchmarks.history import COLUMNS, DELETE, INSERT, Change, row_text

OPERATIONS = ("INSERT", "UPDATE", "DELETE")
DIGITS = 2 * (len(COLUMNS) // 8 + 1)
EVERYTHING = f"{(1 << len(COLUMNS)) - 1:0{DIGITS}X}"
KEY_ONLY = f"{1:0{DIGITS}X}"
CONFIGURATION = [("qlik", "bench", "shop", "orders", '["id"]', None, None, None)]


def encode(change: Change) -> list[str]:
    """Write a change; the task sends no before images."""
    if change.operation == INSERT:
        mask = EVERYTHING
    elif change.operation == DELETE:
        mask = KEY_ONLY
    else:
        mask = f"{sum(1 << column for column in change.changed):0{DIGITS}X}"
    time = change.committed_at
    return [
        '{"magic":"atMSG","type":"DT","headers":null,"messageSchemaId":null,"messageSchema":null,'
        f'"message":{{"data":{row_text(change.values)},"beforeData":null,'
        f'"headers":{{"operation":"{OPERATIONS[change.operation]}",'
        f'"changeSequence":"{time:%Y%m%d%H%M%S}{time.microsecond // 10000:02}{change.number:019}",'
        f'"timestamp":"{time:%Y-%m-%dT%H:%M:%S}.{time.microsecond // 1000:03}",'
        f'"streamPosition":"00000000.01ab5068.00000001.0000.02.0000:88.{change.number}.16",'
        f'"transactionId":"{change.transaction:032X}",'
        f'"changeMask":"{mask}","columnMask":"{EVERYTHING}",'
        f'"transactionEventCounter":{change.index + 1},'
        f'"transactionLastEvent":{"true" if change.is_last else "false"}}}}}}}'
    ]

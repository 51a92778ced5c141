select
    sent.start_lsn,
    sent.commit_lsn,
    sent.table_id,
    try_cast(get(sent.table_row, 0) as bigint) as id,
    try_cast(get(sent.table_row, 1) as bigint) as event_number,
    try_cast(get(sent.table_row, 2) as bigint) as customer_id,
    get(sent.table_row, 3) as status,
    try_cast(get(sent.table_row, 4) as decimal(12,2)) as total,
    get(sent.table_row, 5) as currency,
    try_cast(get(sent.table_row, 6) as int) as quantity,
    try_cast(get(sent.table_row, 7) as timestamp) as placed_at,
    try_cast(get(sent.table_row, 8) as timestamp) as shipped_at,
    get(sent.table_row, 9) as email,
    get(sent.table_row, 10) as street,
    get(sent.table_row, 11) as city,
    get(sent.table_row, 12) as country,
    get(sent.table_row, 13) as comment,
    try_cast(get(sent.table_row, 14) as boolean) as is_gift,
    get(sent.table_row, 15) as warehouse,
    sent.old_table_row
from (
    select coalesce(message.`Insert`, message.`Update`, message.`Delete`) as sent
    from (
        select
            from_json(
                value,
                'Insert struct<start_lsn:string,commit_lsn:string,table_id:int,table_row:array<string>,old_table_row:string>,'
                || 'Update struct<start_lsn:string,commit_lsn:string,table_id:int,table_row:array<string>,old_table_row:string>,'
                || 'Delete struct<start_lsn:string,commit_lsn:string,table_id:int,table_row:array<string>,old_table_row:string>'
            ) as message
        from {raw}
    )
)

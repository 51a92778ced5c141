select coalesce(message.`Insert`, message.`Update`, message.`Delete`).*
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

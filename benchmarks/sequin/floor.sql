select
    message.action as operation,
    message.metadata.commit_lsn as commit_lsn,
    message.metadata.commit_idx as commit_idx,
    message.metadata.commit_timestamp as committed_at,
    message.record.*
from (
    select
        from_json(
            value,
            'action string,metadata struct<commit_lsn:bigint,commit_idx:int,commit_timestamp:timestamp>,'
            || 'record struct<id:bigint,event_number:bigint,customer_id:bigint,status:string,'
            || 'total:decimal(12,2),currency:string,quantity:int,placed_at:timestamp,shipped_at:timestamp,'
            || 'email:string,street:string,city:string,country:string,comment:string,is_gift:boolean,'
            || 'warehouse:string>'
        ) as message
    from {raw}
)

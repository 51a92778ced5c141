select
    message.operation as operation,
    message.`position`.lsn as lsn,
    message.`position`.`sequence` as sequence_number,
    message.`timestamp` as committed_at,
    message.transaction_id as transaction_id,
    message.image.*
from (
    select
        parsed.*,
        coalesce(parsed.`after`, parsed.`before`) as image
    from (
        select
            from_json(
            value,
            'operation string,timestamp timestamp,transaction_id string,position struct<lsn:string,sequence:int>,'
            || 'before struct<id:bigint,event_number:bigint,customer_id:bigint,status:string,'
            || 'total:decimal(12,2),currency:string,quantity:int,placed_at:timestamp,shipped_at:timestamp,'
            || 'email:string,street:string,city:string,country:string,comment:string,is_gift:boolean,'
            || 'warehouse:string>,after struct<id:bigint,event_number:bigint,customer_id:bigint,status:string,'
            || 'total:decimal(12,2),currency:string,quantity:int,placed_at:timestamp,shipped_at:timestamp,'
            || 'email:string,street:string,city:string,country:string,comment:string,is_gift:boolean,'
            || 'warehouse:string>'
            ) as parsed
        from {raw}
    )
) as message

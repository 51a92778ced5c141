select
    parsed.message.headers.operation as operation,
    parsed.message.headers.changesequence as change_sequence,
    cast(parsed.message.headers.timestamp as timestamp) as committed_at,
    parsed.message.headers.transactionid as transaction_id,
    parsed.message.data.*
from (
    select
        from_json(
            value,
            'message struct<headers:struct<operation:string,changeSequence:string,timestamp:string,'
            || 'transactionId:string>,data:struct<id:bigint,event_number:bigint,customer_id:bigint,status:string,'
            || 'total:decimal(12,2),currency:string,quantity:int,placed_at:timestamp,shipped_at:timestamp,'
            || 'email:string,street:string,city:string,country:string,comment:string,is_gift:boolean,'
            || 'warehouse:string>>'
        ) as parsed
    from {raw}
)

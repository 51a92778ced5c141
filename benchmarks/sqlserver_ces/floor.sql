select
    operation,
    logicalid,
    committed_at,
    held.*
from (
    select
        operation,
        logicalid,
        `time` as committed_at,
        from_json(
            if(operation = 'DEL', eventrow.old, eventrow.current),
            'id bigint,event_number bigint,customer_id bigint,status string,total decimal(12,2),currency string,'
            || 'quantity int,placed_at timestamp,shipped_at timestamp,email string,street string,city string,'
            || 'country string,comment string,is_gift string,warehouse string'
        ) as held
    from (
        select
            message.operation,
            message.logicalid,
            message.`time`,
            from_json(message.data, 'eventrow struct<old:string,current:string>').eventrow as eventrow
        from (
            select from_json(value, 'operation string,logicalid string,time timestamp,data string') as message
            from {raw}
        )
    )
)

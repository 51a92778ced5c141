select
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    reason,
    reason_detail,
    event as value,
    landing_batch as waiting_since_landing_batch,
    topic,
    `partition`,
    `offset`,
    event_index,
    message_timestamp as `timestamp`
from {{ cdc_events_of_marts() }} as events
where status = 'pending' and reason <> 'NULL_KEY'

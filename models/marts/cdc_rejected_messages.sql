-- Events that can never be read. Without a value of the key an event cannot be read, unless a late schema names another
-- key.
with unreadable_events as (
    select
        *,
        reason as rejected_because,
        reason_detail as detail
    from {{ cdc_events_of_marts() }} as events
    where status = 'rejected' or (status = 'pending' and reason = 'NULL_KEY')
),

-- Events that a line of cdc_excluded_events takes out.
excluded_events as (
    select
        events.*,
        'EXCLUDED' as rejected_because,
        excluded.reason_detail as detail
    from {{ ref('int_events') }} as events
    inner join {{ ref('int_excluded_events') }} as excluded
        on events.load_number = excluded.load_number and events.event_number = excluded.event_number
),

-- Everything that is rejected.
rejected_events as (
    select * from unreadable_events
    union all
    select * from excluded_events
)

select
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    rejected_because as reason,
    detail as reason_detail,
    event as value,
    landing_batch,
    topic,
    `partition`,
    `offset`,
    event_index,
    message_timestamp as `timestamp`
from rejected_events

-- Every new raw message that may be a segment or hold some.
with messages as (
    select
        source,
        {{ cdc_json_body('value') }} as body
    from {{ cdc_new_messages('sqlserver_ces') }}
    where not (contains(value, '"finalsegment":true') and contains(value, '\\"eventsource\\"'))
),

events as (
    select
        source,
        explode({{ cdc_json_list_items('body') }}) as event
    from messages
)

select
    source,
    lower(get_json_object(event, '$.logicalid')) as schema_scope
from events
group by source, lower(get_json_object(event, '$.logicalid'))

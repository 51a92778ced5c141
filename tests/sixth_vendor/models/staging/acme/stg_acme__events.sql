-- Every raw message and every stored event that is read again, without the blanks around its body.
with messages as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        `key`,
        headers,
        event_index,
        redecoded_event_id,
        {{ cdc_json_body('value') }} as body
    from {{ cdc_messages('acme') }}
)

-- Every event: a message that is a list of events is taken apart.
select
    source,
    landing_batch,
    topic,
    `partition`,
    `offset`,
    `timestamp`,
    `key`,
    headers,
    coalesce(event_index, item_index) as event_index,
    redecoded_event_id,
    item as event
from messages
    lateral view outer posexplode({{ cdc_json_list_items('body') }}) as item_index, item

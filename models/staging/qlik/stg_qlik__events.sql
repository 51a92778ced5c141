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
    from {{ cdc_messages('qlik') }}
)

-- Every message that is one event.
select
    source,
    landing_batch,
    topic,
    `partition`,
    `offset`,
    `timestamp`,
    `key`,
    headers,
    coalesce(event_index, 0) as event_index,
    redecoded_event_id,
    body as event
from messages
where not coalesce(startswith(body, '['), false)

union all

-- Every event of the messages that are lists. They stand apart, since taking a list apart costs every message a copy of
-- its row.
select
    source,
    landing_batch,
    topic,
    `partition`,
    `offset`,
    `timestamp`,
    `key`,
    headers,
    coalesce(event_index, list_index) as event_index,
    redecoded_event_id,
    event
from messages
    lateral view posexplode({{ cdc_json_list_items('body') }}) as list_index, event
where startswith(body, '[')

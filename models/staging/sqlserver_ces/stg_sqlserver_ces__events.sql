-- Every raw message and every stored event that is read again, without the blanks around its body.
with bodies as (
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
    from {{ cdc_messages('sqlserver_ces') }}
),

-- Every event. Messages that are lists stand apart, since taking lists apart costs every message a copy of its row.
events as (
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
    from bodies
    where not coalesce(startswith(body, '['), false)
    union all
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
    from bodies
        lateral view posexplode({{ cdc_json_list_items('body') }}) as item_index, item
    where startswith(body, '[')
),

-- Every event, its attributes parsed once. Inside a list, text before or behind the event is a syntax error, or takes
-- away the null that ends the list.
parsed as (
    select
        *,
        -- Nearly all are, and are not looked at for segments; a message that is written otherwise only takes longer.
        {{ sqlserver_ces_is_surely_whole('event') }} as is_surely_whole,
        from_json(
            concat('[', event, ',null]'),
            'array<struct<
                specversion: string,
                `type`: string,
                source: string,
                id: string,
                logicalid: string,
                `time`: string,
                datacontenttype: string,
                operation: string,
                segmentindex: string,
                finalsegment: string,
                splitindex: string,
                splittotalcnt: string,
                data: string
            >>',
            {{ cdc_strict_json() }}
        ) as messages,
        -- Numbers stand here only where a consumer has passed the data on as an object.
        case
            when
                not contains(event, '"data":"')
                and event rlike '"data"\\s*:\\s*[{]'
                and {{ cdc_may_hold_inexact_numbers('event') }}
                then from_json({{ cdc_long_numbers_as_text('event') }}, 'data variant').data
        end as exact_data
    from events
),

-- Every event, its attributes under plain names.
opened as (
    select
        * except (messages),
        coalesce(get(messages, 0) is not null and size(messages) = 2 and endswith(event, '}'), false) as is_json_object,
        get(messages, 0) as message
    from parsed
)

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
    event,
    is_surely_whole,
    is_json_object,
    message.specversion,
    message.`type` as event_type,
    message.source as event_source,
    message.id as message_id,
    message.logicalid as logical_id,
    message.`time` as time_sent,
    message.datacontenttype as content_type,
    message.operation as operation_sent,
    try_cast(message.segmentindex as int) as segment_index,
    try_cast(message.finalsegment as boolean) as is_final_segment,
    try_cast(message.splitindex as int) as split_index,
    try_cast(message.splittotalcnt as int) as split_count,
    if(exact_data is null, message.data, to_json(exact_data)) as data,
    exact_data is not null and event <> {{ cdc_long_numbers_as_text('event') }} as has_number_as_text
from opened

with bodies as (
    select
        {{ cdc_transport_columns() }},
        {{ cdc_json_body('value') }} as body
    from {{ cdc_messages('sqlserver_ces') }}
),

-- One row per event: a message that is a list of events is taken apart. Lists stand apart, since taking them apart
-- costs every message a copy of its row.
events as (
    select
        {{ cdc_transport_columns('coalesce(event_index, 0)') }},
        body as event
    from bodies
    where not coalesce(startswith(body, '['), false)
    union all
    select
        {{ cdc_transport_columns('coalesce(event_index, position_in_list)') }},
        event
    from bodies
        lateral view posexplode({{ cdc_json_list_items('body') }}) as position_in_list, event
    where startswith(body, '[')
),

messages as (
    select
        {{ cdc_transport_columns() }},
        event,
        -- A text with the start of the data and the end of its segments is a whole message. This finds nearly all,
        -- which then are not looked at for segments; a message that is written otherwise only takes longer.
        coalesce(
            contains(event, '\\"eventsource\\"')
            and (
                contains(event, '"finalsegment":true') or contains(event, '"finalsegment": true')
                or contains(event, '"splittotalcnt":0,') or contains(event, '"splittotalcnt": 0,')
            ),
            false
        ) as is_surely_whole
    from events
),

parsed as (
    select
        *,
        from_json(
            concat('{"envelope":', event, '}'), 'envelope map<string,string>',
            map('allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false')
        ).envelope as as_read,
        -- Read inside an object, and one item of an array: exactly one JSON value.
        case when json_array_length(concat('[', event, ']')) = 1 then as_read end as envelope,
        -- Numbers stand here only where a consumer has passed data on as an object.
        case
            when not contains(event, '"data":"') and {{ cdc_has_inexact_numbers('event') }}
                then {{ cdc_exact_json(
                    cdc_json_document(cdc_long_numbers_as_text('event')), '$[0].data', "envelope['data']", 'true'
                ) }}
            else envelope['data']
        end as data
    from messages
),

whole_messages as (
    select *
    from parsed
    where is_surely_whole
),

other_messages as (
    select
        *,
        {{ sqlserver_ces_segment_index('envelope') }} as segment_index,
        lower(envelope['logicalid']) as logical_id,
        -- The text of data with its escapes as they were sent: the end of a segment may cut a character in two.
        nullif(regexp_extract(event, '"data"\\s*:\\s*"((?:[^"\\\\]++|\\\\.)*+)"', 1), '') as data_text,
        struct({{ cdc_transport_order() }} as transport_order, landing_batch, event) as place
    from parsed
    where not is_surely_whole
),

-- A segment that was delivered more than once counts once: the delivery with the least place in the transport.
segments as (
    select
        source,
        logical_id,
        segment_index,
        min(place) as place,
        min_by(struct(envelope, data, data_text), place) as segment,
        count(distinct coalesce(data_text, data)) > 1 as has_contradiction
    from other_messages
    where segment_index >= 0
    group by source, logical_id, segment_index
),

split_changes as (
    select
        source,
        logical_id,
        min_by(place, segment_index) as first_place,
        array_sort(collect_list(struct(
            segment_index,
            segment.envelope['id'] as id,
            segment.data as data,
            segment.data_text as data_text
        ))) as segments,
        -- Joined before the escapes are read, so that a character that was cut in two comes out whole.
        coalesce(
            case
                when count(segment.data_text) = count(*)
                    then from_json(concat('{"data":"', array_join(segments.data_text, ''), '"}'), 'data string').data
            end,
            array_join(segments.data, '')
        ) as data,
        -- from 0 or 1 to the last one
        min(segment_index) in (0, 1)
        and max(segment_index) - min(segment_index) = count(*) - 1
        and coalesce(
            try_cast(max_by(segment.envelope['finalsegment'], segment_index) as boolean),
            count(*) = try_cast(min_by(segment.envelope['splittotalcnt'], segment_index) as int),
            false
        ) as is_without_gap,
        -- A change that begins at 1 may lack a segment 0 or be counted from 1: only its text can say, as it does where
        -- deliveries contradict each other.
        is_without_gap
        and case
            when min(segment_index) = 0 and not bool_or(has_contradiction) then true
            else {{ cdc_is_valid_json('data') }}
        end as is_complete
    from segments
    group by source, logical_id
)

select
    {{ cdc_transport_columns() }},
    event,
    cast(null as string) as joined_event,
    envelope,
    data,
    'none' as segment,
    cast(null as array<string>) as segment_ids
from whole_messages
union all
select
    {{ cdc_transport_columns() }},
    event,
    -- The first segment stands for the change from here on: should it have to wait (no key known yet), it waits as
    -- a whole message, for the other segments are gone then. One with an attribute twice is rejected as it is.
    case
        when is_complete and place = first_place and not {{ cdc_has_repeated_keys('envelope') }}
            then to_json(map_concat(
                map_filter(
                    envelope,
                    (attribute, attribute_value) -> attribute not in (
                        'segmentindex', 'finalsegment', 'splitindex', 'splittotalcnt', 'data', 'segments'
                    )
                ),
                map(
                    'segmentindex', '0', 'finalsegment', 'true', 'segments', to_json(segments.id),
                    'data', split_changes.data
                )
            ))
    end as joined_event,
    envelope,
    if(segment_index >= 0, if(is_complete, split_changes.data, null), other_messages.data) as data,
    case
        when segment_index is null or segment_index < 0 then 'none'
        when not is_complete then 'waiting'
        when place = first_place then 'first'
        else 'other'
    end as segment,
    if(segment_index >= 0 and is_complete, segments.id, null) as segment_ids
from other_messages
left join split_changes using (source, logical_id)

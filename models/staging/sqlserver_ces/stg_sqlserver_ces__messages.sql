with source as (
    select
        value,
        key,
        headers,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        source,
        landing_batch,
        event_index,
        stored_event
    from {{ cdc_messages('sqlserver_ces') }}
),

bodies as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        stored_event,
        -- Trimming walks the whole text, so only a text that needs it is trimmed.
        case
            when startswith(value, '{') and endswith(value, '}') then value
            else {{ cdc_trimmed('value') }}
        end as element,
        -- A message that holds the start of its data and calls itself the last segment is whole. This is looked for in
        -- the text as producers write it, so nearly all messages go past the search for segments without being parsed
        -- for it; one that is written otherwise only takes longer.
        coalesce(
            contains(value, '\\"eventsource\\"')
            and (
                contains(value, '"finalsegment": true') or contains(value, '"finalsegment":true')
                or contains(value, '"splittotalcnt": 0,') or contains(value, '"splittotalcnt":0,')
            ),
            false
        ) as is_whole_by_text
    from source
),

whole_messages_read as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        stored_event,
        element,
        {{ sqlserver_ces_read('element', 'map<string,string>') }} as result
    from bodies
    where is_whole_by_text
),

whole_messages as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        stored_event,
        element,
        case when {{ sqlserver_ces_is_whole('result') }} then result['read'] end as envelope
    from whole_messages_read
),

other_messages_read as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        stored_event,
        element,
        -- Long numbers stand at this level where somebody has taken the string off `data`.
        {{ sqlserver_ces_read(cdc_guard_numbers('element'), 'map<string,string>') }} as result
    from bodies
    where not is_whole_by_text
),

other_messages as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        stored_event,
        element,
        case when {{ sqlserver_ces_is_whole('result') }} then result['read'] end as envelope
    from other_messages_read
),

-- Two generations count segments: segmentindex with finalsegment, splitindex with splittotalcnt.
other_messages_counted as (
    select
        *,
        case
            when not coalesce(envelope['logicalid'] rlike '^[^:]+:[0-9A-Fa-f]{20}:[0-9]{1,20}$', false)
                then null
            when envelope['data'] is null then null
            when try_cast(envelope['finalsegment'] as boolean) is not null
                then case
                    -- The last segment is the only one where its data is a whole text: then it is counted from 1.
                    when
                        not try_cast(envelope['finalsegment'] as boolean)
                        or (
                            try_cast(envelope['segmentindex'] as int) > 0
                            and not {{ cdc_is_json("envelope['data']") }}
                        )
                        then try_cast(envelope['segmentindex'] as int)
                end
            when try_cast(envelope['splittotalcnt'] as int) > 1 then try_cast(envelope['splitindex'] as int)
        end as segment_index
    from other_messages
),

-- A message that is no segment after all is a group of its own.
other_messages_named as (
    select
        *,
        coalesce(segment_index >= 0, false) as is_segment,
        case
            when segment_index >= 0 then lower(envelope['logicalid'])
            else
                concat_ws(
                    ' ', 'no segment', xxhash64(landing_batch, topic, `partition`, `offset`, event_index, element)
                )
        end as logical_id
    from other_messages_counted
),

messages_by_logical_id as (
    select
        source,
        logical_id,
        is_segment,
        array_sort(
            collect_list(struct(
                -- in segment order; of several deliveries of one segment the earliest first
                struct(
                    segment_index, landing_batch, topic, `partition`, `offset`, event_index, element
                ) as place,
                `timestamp`, key, headers, stored_event, envelope
            )),
            (one, other) -> case when one.place < other.place then -1 when one.place > other.place then 1 else 0 end
        ) as deliveries
    from other_messages_named
    group by source, logical_id, is_segment
),

segments_once as (
    select
        source,
        is_segment,
        deliveries,
        filter(
            deliveries,
            (delivery, number) -> number = 0
            or deliveries[number - 1].place.segment_index <> delivery.place.segment_index
        ) as segments
    from messages_by_logical_id
),

segments_joined as (
    select
        source,
        is_segment,
        deliveries,
        segments,
        transform(segments, segment -> segment.envelope['id']) as segment_ids,
        array_join(transform(segments, segment -> segment.envelope['data']), '') as joined,
        -- from 0 or 1 to the last one
        is_segment
        and segments[0].place.segment_index in (0, 1)
        and segments[size(segments) - 1].place.segment_index - segments[0].place.segment_index = size(segments) - 1
        and coalesce(
            try_cast(segments[size(segments) - 1].envelope['finalsegment'] as boolean),
            size(segments) = try_cast(segments[0].envelope['splittotalcnt'] as int),
            false
        ) as is_without_gap,
        -- one segment delivered with different contents
        size(array_distinct(transform(
            deliveries, delivery -> struct(delivery.place.segment_index, delivery.envelope['data'])
        ))) > size(segments) as has_contradiction
    from segments_once
),

segments_judged as (
    select
        source,
        is_segment,
        deliveries,
        segment_ids,
        joined,
        -- A group that begins at 1 may lack a segment 0 or be counted from 1: only the text can tell, as it does where
        -- deliveries contradict each other.
        is_without_gap
        and case
            when segments[0].place.segment_index = 0 and not has_contradiction then true
            else {{ cdc_is_json('joined') }}
        end as is_complete
    from segments_joined
),

deliveries_apart as (
    select
        segments_judged.source,
        segments_judged.is_segment,
        segments_judged.segment_ids,
        segments_judged.joined,
        segments_judged.is_complete,
        delivery_number,
        delivery
    from segments_judged
        lateral view posexplode(segments_judged.deliveries) as delivery_number, delivery
),

segments_and_other_messages as (
    select
        source,
        delivery.place.landing_batch,
        delivery.place.topic,
        delivery.place.`partition`,
        delivery.place.`offset`,
        delivery.`timestamp`,
        delivery.key,
        delivery.headers,
        delivery.place.event_index,
        delivery.stored_event,
        delivery.place.element,
        -- The first segment stands for the change from here on: should it have to wait (no key known yet), it waits as
        -- a whole message, for the other segments are gone then. One with an attribute twice is rejected as it is.
        case
            when is_complete and delivery_number = 0 and not {{ sqlserver_ces_has_repeats('delivery.envelope') }}
                then to_json(map_concat(
                    map_filter(
                        delivery.envelope,
                        (attribute, attribute_value) -> attribute not in (
                            'segmentindex', 'finalsegment', 'splitindex', 'splittotalcnt', 'data', 'segments'
                        )
                    ),
                    map('segmentindex', '0', 'finalsegment', 'true', 'segments', to_json(segment_ids), 'data', joined)
                ))
        end as joined_element,
        delivery.envelope,
        case
            when is_complete then joined
            when not is_segment then delivery.envelope['data']
        end as data,
        case
            when not is_segment then 'none'
            when not is_complete then 'waiting'
            when delivery_number = 0 then 'first'
            else 'other'
        end as segment,
        case when is_complete then segment_ids end as segment_ids
    from deliveries_apart
),

final as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        coalesce(event_index, 0) as event_index,
        stored_event,
        element,
        cast(null as string) as joined_element,
        envelope,
        envelope['data'] as data,
        'none' as segment,
        cast(null as array<string>) as segment_ids
    from whole_messages
    union all
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        coalesce(event_index, 0) as event_index,
        stored_event,
        element,
        joined_element,
        envelope,
        data,
        segment,
        segment_ids
    from segments_and_other_messages
)

select * from final

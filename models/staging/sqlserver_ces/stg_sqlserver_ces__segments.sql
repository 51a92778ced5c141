-- Every event that may be a segment of a change that was split, with its number among the segments: the two
-- generations count them under different names. A final segment that holds the whole data is none.
with numbered as (
    select
        *,
        lower(logical_id) as change_key,
        case
            when data is null or not coalesce(logical_id rlike '^[^:]+:[0-9A-Fa-f]{20}:[0-9]{1,20}$', false)
                then null
            when is_final_segment is null
                then if(split_count > 1, split_index, null)
            when not is_final_segment
                then segment_index
            when segment_index > 0 and not (startswith(data, '{') and contains(data, '"eventsource"'))
                then segment_index
        end as number,
        -- The data with its escapes as they were sent: the end of a segment may cut a character in two.
        nullif(regexp_extract(event, '"data"\\s*:\\s*"((?:[^"\\\\]++|\\\\.)*+)"', 1), '') as data_text,
        struct({{ cdc_transport_order() }} as transport_order, landing_batch, event) as delivery_place
    from {{ ref('stg_sqlserver_ces__events') }}
    where not is_surely_whole
),

-- Every segment, compared with the other segments of its change.
segments as (
    select
        *,
        coalesce(data_text, data) as content,
        min(coalesce(data_text, data)) over (partition by source, change_key, number) as least_content,
        max(coalesce(data_text, data)) over (partition by source, change_key, number) as greatest_content,
        min(if(is_final_segment, number, null)) over (partition by source, change_key) as first_final_number,
        max(if(is_final_segment, number, null)) over (partition by source, change_key) as last_final_number,
        min(split_count) over (partition by source, change_key) as least_count,
        max(split_count) over (partition by source, change_key) as greatest_count,
        max(number) over (partition by source, change_key) as greatest_number
    from numbered
    where number >= 0
),

-- Every segment, and whether its change was sent in ways that contradict each other: with two contents of one segment,
-- or with two cuts.
compared as (
    select
        *,
        max(
            least_content <> greatest_content
            or coalesce(first_final_number <> last_final_number, false)
            or coalesce(greatest_number > first_final_number, false)
            or coalesce(least_count <> greatest_count, false)
            or coalesce(greatest_number > least_count, false)
        ) over (partition by source, change_key) as is_contradicted
    from segments
),

-- Every segment beside the one that was carried before it in the same partition.
carried as (
    select
        *,
        lag(struct(number, content, is_final_segment)) over (
            partition by source, change_key, topic, `partition`
            order by delivery_place asc, event asc
        ) as segment_before
    from compared
),

-- Every segment with the sending that it is part of. Where nothing contradicts, all segments of a change are one
-- sending, in whatever order they were carried; else those that were carried one after another, number by number.
sendings as (
    select
        *,
        case
            when is_contradicted
                then concat_ws(
                    '/',
                    coalesce(topic, ''),
                    coalesce(`partition`, -1),
                    sum(
                        case
                            when segment_before.number = number and segment_before.content = content then 0
                            when
                                segment_before.number = number - 1
                                and not coalesce(segment_before.is_final_segment, false)
                                then 0
                            else 1
                        end
                    ) over (
                        partition by source, change_key, topic, `partition`
                        order by delivery_place asc, event asc
                        rows between unbounded preceding and current row
                    )
                )
            else ''
        end as sending
    from carried
),

-- Each number of a sending once: of a segment that was delivered twice the one with the least place counts.
distinct_segments as (
    select
        source,
        change_key,
        sending,
        number,
        min(delivery_place) as delivery_place,
        min_by(struct(message_id, data, data_text, is_final_segment, split_count), delivery_place) as segment,
        max(is_contradicted) as is_contradicted
    from sendings
    group by source, change_key, sending, number
),

-- One row per sending, its segments joined. A sending is whole from number 0 or 1 to the last one. One that begins at
-- 1 may lack a segment 0 or be counted from 1: only its text can say, as it must where sendings contradict each other.
joined as (
    select
        source,
        change_key,
        sending,
        min_by(delivery_place, number) as first_place,
        array_sort(collect_list(struct(
            number,
            segment.message_id as message_id,
            segment.data as data,
            segment.data_text as data_text
        ))) as parts,
        -- Joined before the escapes are read, so that a character that was cut in two comes out whole.
        coalesce(
            case
                when count(segment.data_text) = count(*)
                    then from_json(concat('{"data":"', array_join(parts.data_text, ''), '"}'), 'data string').data
            end,
            array_join(parts.data, '')
        ) as data,
        min(number) in (0, 1)
        and max(number) - min(number) = count(*) - 1
        and coalesce(
            max_by(segment.is_final_segment, number),
            count(*) = min_by(segment.split_count, number),
            false
        ) as has_no_gap,
        has_no_gap
        and case
            when min(number) = 0 and not max(is_contradicted) then true
            else {{ cdc_is_one_json_value('data') }}
        end as is_whole
    from distinct_segments
    group by source, change_key, sending
)

select
    sendings.source,
    sendings.landing_batch,
    sendings.topic,
    sendings.`partition`,
    sendings.`offset`,
    sendings.`timestamp`,
    sendings.`key`,
    sendings.headers,
    sendings.event_index,
    sendings.redecoded_event_id,
    sendings.event,
    sendings.is_json_object,
    sendings.specversion,
    sendings.event_type,
    sendings.event_source,
    sendings.message_id,
    sendings.logical_id,
    sendings.time_sent,
    sendings.content_type,
    sendings.operation_sent,
    sendings.segment_index,
    sendings.is_final_segment,
    sendings.split_index,
    sendings.split_count,
    if(joined.is_whole, joined.data, sendings.data) as data,
    sendings.has_number_as_text,
    case
        when not joined.is_whole then 'waiting'
        when sendings.delivery_place = joined.first_place then 'first'
        else 'other'
    end as part,
    if(joined.is_whole, joined.parts.message_id, null) as segment_ids,
    sendings.change_key
from sendings
inner join joined
    on
        sendings.source = joined.source
        and sendings.change_key = joined.change_key
        and sendings.sending = joined.sending
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
    event_index,
    redecoded_event_id,
    event,
    is_json_object,
    specversion,
    event_type,
    event_source,
    message_id,
    logical_id,
    time_sent,
    content_type,
    operation_sent,
    segment_index,
    is_final_segment,
    split_index,
    split_count,
    data,
    has_number_as_text,
    'none' as part,
    cast(null as array<string>) as segment_ids,
    cast(null as string) as change_key
from numbered
where not coalesce(number >= 0, false)

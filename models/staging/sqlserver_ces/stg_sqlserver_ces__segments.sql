-- Every segment of a change that was split.
with numbered as (
    select
        *,
        lower(logical_id) as change_key,
        {{ sqlserver_ces_segment_number('events') }} as number,
        -- The data with its escapes as they were sent: the end of a segment may cut a character in two.
        nullif(regexp_extract(event, '"data"\\s*:\\s*"((?:[^"\\\\]++|\\\\.)*+)"', 1), '') as data_text,
        struct({{ cdc_transport_order() }} as transport_order, landing_batch, event) as delivery_place
    from {{ ref('stg_sqlserver_ces__events') }} as events
    where {{ sqlserver_ces_segment_number('events') }} is not null
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

-- Every segment, and whether it is the one that counts: of a segment that was delivered twice that is the one with the
-- least place.
counted as (
    select
        *,
        row_number() over (
            partition by source, change_key, sending, number
            order by delivery_place asc, event asc
        ) = 1 as is_counted
    from sendings
),

-- Every segment, with all segments of its sending in the order of their numbers.
with_parts as (
    select
        *,
        array_sort(
            collect_list(
                case
                    when is_counted
                        then struct(
                            number,
                            delivery_place,
                            message_id,
                            data,
                            data_text,
                            is_final_segment,
                            split_count
                        )
                end
            ) over (partition by source, change_key, sending)
        ) as parts
    from counted
),

-- Every segment, with the data of its sending joined. A sending is whole from number 0 or 1 to the last one. One that
-- begins at 1 may lack a segment 0 or be counted from 1: only its text can say, as it must where sendings contradict
-- each other.
joined as (
    select
        *,
        element_at(parts, 1) as first_part,
        element_at(parts, -1) as last_part,
        -- Joined before the escapes are read, so that a character that was cut in two comes out whole.
        coalesce(
            case
                when not exists(parts.data_text, part_text -> part_text is null)
                    then from_json(concat('{"data":"', array_join(parts.data_text, ''), '"}'), 'data string').data
            end,
            array_join(parts.data, '')
        ) as joined_data,
        first_part.number in (0, 1)
        and last_part.number - first_part.number = size(parts) - 1
        and coalesce(last_part.is_final_segment, size(parts) = first_part.split_count, false) as has_no_gap,
        has_no_gap
        and case
            when first_part.number = 0 and not is_contradicted then true
            else {{ cdc_is_one_json_value('joined_data') }}
        end as is_whole
    from with_parts
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
    if(is_whole, joined_data, data) as data,
    has_number_as_text,
    case
        when not is_whole then 'waiting'
        when delivery_place = first_part.delivery_place then 'first'
        else 'other'
    end as part,
    if(is_whole, parts.message_id, null) as segment_ids,
    change_key
from joined

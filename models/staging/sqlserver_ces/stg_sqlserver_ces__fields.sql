{%- set exact_old = cdc_exact_image('exact.eventrow.old', 'old_sent') %}
{%- set exact_current = cdc_exact_image('exact.eventrow.current', 'current_sent') %}
-- Every event; the data of a change that was split is joined.
with events as (
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
    from {{ ref('stg_sqlserver_ces__events') }} as events
    where {{ sqlserver_ces_segment_number('events') }} is null
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
        part,
        segment_ids,
        change_key
    from {{ ref('stg_sqlserver_ces__segments') }}
),

-- Every event, its data parsed once.
parsed as (
    select
        *,
        from_json(
            concat('[', data, ',null]'),
            'array<struct<
                eventsource: struct<
                    db: string,
                    `schema`: string,
                    tbl: string,
                    cols: array<struct<name: string, `type`: string, `index`: int>>,
                    pkkey: array<struct<columnname: string, value: string>>,
                    transaction: string
                >,
                eventrow: struct<old: string, current: string>
            >>',
            {{ cdc_strict_json() }}
        ) as documents
    from events
),

-- Every event, its data opened. An image is the text of a JSON object, in which all values are strings; where one holds
-- a number, and from_json may have changed it or VARIANT cannot hold it, the images are read a second time.
opened as (
    select
        * except (documents),
        coalesce(get(documents, 0) is not null and size(documents) = 2 and endswith(data, '}'), false)
            as is_data_object,
        get(documents, 0).eventsource as eventsource,
        nullif(get(documents, 0).eventrow.old, '') as old_sent,
        nullif(get(documents, 0).eventrow.current, '') as current_sent,
        case
            when
                concat_ws(',', old_sent, current_sent) rlike '":\\s*-?[0-9]'
                and {{ cdc_may_hold_inexact_numbers('data') }}
                then from_json(
                    {{ cdc_long_numbers_as_text('data') }},
                    'eventrow struct<old: variant, current: variant>'
                )
        end as exact
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
    part,
    segment_ids,
    change_key,
    data,
    is_data_object,
    nullif(eventsource.db, '') as database_name,
    nullif(eventsource.`schema`, '') as schema_name,
    nullif(eventsource.tbl, '') as table_name,
    eventsource.cols as listed_columns,
    eventsource.pkkey as key_sent,
    from_json(
        eventsource.transaction,
        'commitlsn string, beginlsn string, sequencenumber bigint, finalevent boolean, committime string'
    ) as transaction,
    {{ exact_old }} as old_image,
    {{ exact_current }} as current_image,
    -- Whether both images are one JSON value each.
    json_object_keys(
        concat('{"old":', coalesce(old_sent, 'null'), ',"current":', coalesce(current_sent, 'null'), '}')
    ) <=> array('old', 'current') as are_images_json,
    has_number_as_text
    or (
        exact is not null
        and {{ cdc_may_hold_number_as_text("concat_ws(',', " ~ exact_old ~ ', ' ~ exact_current ~ ')') }}
    ) as has_number_as_text
from opened

{%- set waiting_vendors = cdc_vendors_with_large_messages() %}
{%- set columns = cdc_parse_columns('vendor string') + cdc_raw_columns()
    + cdc_parse_columns('event_index int; redecoded_event_id string') %}
-- depends_on: {{ ref('run_landing_batches') }}
{%- if not waiting_vendors %}

select * from {{ cdc_no_rows(columns) }} as no_messages
{%- else %}

-- The stored events of messages that were too large, as far as the limit allows them now.
with too_large_before as (
    select
        vendor,
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        cast(get_json_object(metadata, '$.bytes') as bigint) as bytes,
        get_json_object(metadata, '$.sha256') as sha256,
        concat(load_number, '/', event_number) as redecoded_event_id
    from {{ cdc_effective_events(cdc_stored_events()) }} as events
    where {{ cdc_is_large_message_to_read() }}
),

-- The raw messages of the vendors that have such events.
raw_messages as (
    {%- for spec in cdc_vendors() if spec.name in waiting_vendors %}
    select
        '{{ spec.name }}' as vendor,
        *
    from {{ cdc_raw_relation(spec.name) }} as raw
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

-- Bodies lie in the raw tables alone. Of two messages that differ in nothing each is an event, and each event finds
-- both.
found as (
    select
        events.vendor,
        events.redecoded_event_id,
        min_by(
            struct(
                raw.value,
                raw.`key`,
                raw.headers,
                raw.topic,
                raw.`partition`,
                raw.`offset`,
                raw.`timestamp`,
                raw.source,
                raw.landing_batch
            ),
            struct(raw.`timestamp`, raw.`key`, to_json(raw.headers) as headers)
        ) as message
    from raw_messages as raw
    inner join too_large_before as events
        on
            raw.vendor = events.vendor
            and raw.source = events.source
            and raw.landing_batch = events.landing_batch
            and raw.topic <=> events.topic
            and raw.`partition` <=> events.`partition`
            and raw.`offset` <=> events.`offset`
            and octet_length(raw.value) = events.bytes
            and sha2(raw.value, 256) = events.sha256
    group by events.vendor, events.redecoded_event_id
)

select
    vendor,
    message.*,
    cast(null as int) as event_index,
    redecoded_event_id
from found
{%- endif %}

with bodies as (
    select
        source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers, stored_event, value, event_index,
        {{ cdc_body('value') }} as body
    from {{ cdc_messages('acme') }}
),

taken_apart as (
    select
        *,
        case
            when event_index is not null or not startswith(body, '[') then array(body)
            when {{ cdc_is_json('body') }} then from_json(body, 'array<string>')
            else array(body)
        end as texts
    from bodies
),

elements as (
    select
        source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers, stored_event, value,
        coalesce(event_index, exploded_index) as event_index,
        text
    from taken_apart
    lateral view posexplode(texts) exploded as exploded_index, text
)

select * from elements

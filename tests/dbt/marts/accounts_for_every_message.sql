{#- Every raw message that was read, and every event in it, is in the event store: counted from the bodies alone, batch
    by batch. What cdc_health says became of them adds up (S2). A landing batch that is gone cannot be counted. What is
    not one JSON value, or an envelope that holds a key twice, is one event, and rejected. -#}
with landed as (
    {%- for spec in cdc_vendors() %}
    select
        '{{ spec.name }}' as vendor,
        source,
        landing_batch,
        count(*) as messages,
        sum(
            case
                when {{ cdc_json_problem('value', ['$']) }} is not null then 1
                else greatest(1, coalesce({{ spec.events_in_message or 1 }}, 1))
            end
        ) as events
    from (
        select
            source,
            landing_batch,
            {{ cdc_without_control_characters(cdc_json_body('value')) }} as value
        from {{ cdc_raw_relation(spec.name) }}
    ) as bodies
    group by source, landing_batch
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
),

stored as (
    select
        vendor,
        source,
        landing_batch,
        count_if(event_index = 0 and coalesce(table_index, 0) = 0) as messages,
        count(*) as events
    from {{ ref('int_events') }}
    where is_delivery
    group by vendor, source, landing_batch
),

batches_landed_and_read as (
    select vendor, landing_batch from landed
    intersect
    select vendor, landing_batch from stored
),

wrong_batches as (
    select
        vendor,
        source,
        landing_batch,
        landed.messages as messages_expected,
        stored.messages as messages_found,
        landed.events as events_expected,
        stored.events as events_found
    from landed
    full outer join stored using (vendor, source, landing_batch)
    inner join batches_landed_and_read using (vendor, landing_batch)
    where not (landed.messages <=> stored.messages and landed.events <=> stored.events)
),

stored_by_source as (
    select
        vendor,
        source,
        sum(messages) as messages,
        sum(events) as events
    from stored
    group by vendor, source
),

health_by_source as (
    select
        vendor,
        source,
        sum(messages) as messages,
        sum(events) as events,
        sum(changes + control + segments + duplicates + ignored + rejected + pending) as placed_events
    from {{ ref('cdc_health') }}
    group by vendor, source
),

wrong_sources as (
    select
        vendor,
        source,
        cast(null as bigint) as landing_batch,
        stored.messages as messages_expected,
        health.messages as messages_found,
        stored.events as events_expected,
        health.placed_events as events_found
    from stored_by_source as stored
    full outer join health_by_source as health using (vendor, source)
    where not (
        stored.messages <=> health.messages
        and stored.events <=> health.events
        and stored.events <=> health.placed_events
    )
)

select * from wrong_batches
union all
select * from wrong_sources

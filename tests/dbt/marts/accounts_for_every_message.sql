{#- Every raw message that was read, and every event in it, is in the event store: counted from the bodies alone, batch
    by batch. What cdc_health says became of them adds up (S2). A landing batch that is gone cannot be counted. What is
    never parsed or is not one JSON value is one event, and rejected. -#}
with landed as (
    {%- for spec in cdc_vendors() %}
    select
        '{{ spec.name }}' as vendor,
        source,
        landing_batch,
        count(*) as messages,
        sum(
            case
                when is_rejected or not (endswith(value, '}') or endswith(value, ']')) then 1
                when not {{ cdc_is_one_json_value(cdc_without_control_characters('value')) }} then 1
                else greatest(1, coalesce({{ spec.events_in_message or 1 }}, 1))
            end
        ) as events
    from (
        select
            source,
            landing_batch,
            {{ cdc_message_problem() }} is not null as is_rejected,
            case when not is_rejected then {{ cdc_json_body('value') }} end as value
        from {{ cdc_raw_relation(spec.name) }} as raw
    ) as bodies
    group by source, landing_batch
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
),

-- Events of messages that were too large for an earlier run, which counted each of these messages as one event.
large_messages as (
    select struct(load_number, event_number) as event_id
    from {{ ref('int_events') }}
    where reason = 'TOO_LARGE'
),

read_later as (
    select
        struct(events.load_number, events.event_number) as event_id,
        events.replaced_event_id
    from (
        select
            load_number,
            event_number,
            explode(replaces) as replaced_event_id
        from {{ ref('int_events') }}
        where replaced_because = 'decoded again'
    ) as events
    left semi join large_messages on events.replaced_event_id = large_messages.event_id
),

counted_events as (
    select
        events.*,
        (load_number, event_number) in (select read_later.event_id.* from read_later) as is_read_later,
        (load_number, event_number) in (select read_later.replaced_event_id.* from read_later) as was_too_large
    from {{ ref('int_events') }} as events
),

stored as (
    select
        vendor,
        source,
        landing_batch,
        count_if(is_delivery and event_index = 0 and coalesce(table_index, 0) = 0) as messages,
        count_if((is_delivery and not was_too_large) or is_read_later) as events
    from counted_events
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

{#- Counts the raw messages that were read, and the events in them, from their bodies alone, and compares with what
    cdc_health says became of them (S2). A vendor of whose landing batches one is gone cannot be counted any more. -#}
with landed as (
    {%- for spec in cdc_vendors() %}
    select
        '{{ spec.name }}' as vendor,
        source,
        landing_batch,
        count(*) as messages,
        sum({{ cdc_events_in_message(spec) }}) as elements
    from (
        select
            source,
            landing_batch,
            {{ cdc_trimmed('value') }} as value
        from {{ cdc_raw_relation(spec.name) }}
    ) as bodies
    group by source, landing_batch
    {%- if not loop.last %}
    union all
    {%- endif %}
    {%- endfor %}
),

finished as (
    select distinct
        vendor,
        landing_batch
    from {{ ref('cdc_loads') }}
    -- A load's own line names no vendor, and `not in` would find nothing beside it.
    where vendor is not null
),

expired as (
    select vendor from finished
    left anti join landed
        on finished.vendor = landed.vendor and finished.landing_batch = landed.landing_batch
),

landed_and_told as (
    select
        landed.vendor,
        landed.source,
        landed.messages,
        landed.elements,
        0 as told,
        0 as told_elements,
        0 as placed
    from landed
    left semi join finished
        on landed.vendor = finished.vendor and landed.landing_batch = finished.landing_batch
    union all
    select
        vendor,
        source,
        0,
        0,
        messages,
        elements,
        changes + control + parts + duplicates + ignored + rejected + pending
    from {{ ref('cdc_health') }}
),

counted as (
    select
        vendor,
        source,
        sum(messages) as messages,
        sum(told) as messages_told,
        sum(elements) as elements,
        sum(told_elements) as elements_told,
        sum(placed) as elements_placed
    from landed_and_told
    where vendor not in (select expired.vendor from expired)
    group by vendor, source
)

select * from counted
where messages <> messages_told or elements <> elements_told or elements <> elements_placed

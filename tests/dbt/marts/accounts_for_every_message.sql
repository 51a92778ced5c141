{#- Counts the raw messages that were read, and the events in them, from their bodies alone, and compares load by load
    with what was told of them; then what cdc_health says became of them (S2). A load of whose landing batches one is
    gone cannot be counted any more. -#}
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
        landing_batch,
        load_number
    from {{ ref('cdc_loads') }}
    -- A load's own line names no vendor.
    where vendor is not null
),

expired as (
    select
        finished.vendor,
        finished.load_number
    from finished
    left anti join landed
        on finished.vendor = landed.vendor and finished.landing_batch = landed.landing_batch
),

landed_and_told as (
    select
        landed.vendor,
        landed.source,
        finished.load_number,
        landed.messages,
        landed.elements,
        0 as messages_told,
        0 as elements_told
    from landed
    inner join finished
        on landed.vendor = finished.vendor and landed.landing_batch = finished.landing_batch
    union all
    select
        accounts.vendor,
        accounts.source,
        accounts.load_number,
        0,
        0,
        accounts.messages,
        accounts.elements
    from {{ ref('cdc_load_accounts') }} as accounts
    left semi join finished on accounts.load_number = finished.load_number
),

loads_counted as (
    select
        landed_and_told.vendor,
        landed_and_told.source,
        landed_and_told.load_number,
        sum(landed_and_told.messages) as messages,
        sum(landed_and_told.messages_told) as messages_told,
        sum(landed_and_told.elements) as elements,
        sum(landed_and_told.elements_told) as elements_told
    from landed_and_told
    left anti join expired
        on landed_and_told.vendor = expired.vendor and landed_and_told.load_number = expired.load_number
    group by landed_and_told.vendor, landed_and_told.source, landed_and_told.load_number
),

places_counted as (
    select
        vendor,
        source,
        sum(elements) as elements_told,
        sum(changes + control + parts + duplicates + ignored + rejected + pending) as elements_placed
    from {{ ref('cdc_health') }}
    group by vendor, source
)

select
    *,
    cast(null as bigint) as elements_placed
from loads_counted
where messages <> messages_told or elements <> elements_told
union all
select
    vendor,
    source,
    null as load_number,
    null as messages,
    null as messages_told,
    null as elements,
    elements_told,
    elements_placed
from places_counted
where elements_told <> elements_placed

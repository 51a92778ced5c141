{{ config(materialized='table', file_format=cdc_work_format()) }}
{%- do cdc_refuse_rebuild_without_raw() if cdc_is_rebuild() %}
{%- set has_log = not cdc_is_in_a_run() or _cdc_exists('int_batch_log') %}

with landed_or_stored as (
    {%- for spec in cdc_vendors() %}
    select
        '{{ spec.name }}' as vendor,
        landing_batch,
        cast(null as bigint) as load_number
    from {{ cdc_raw_relation(spec.name) }}
    union all
    {%- endfor %}
    select vendor, landing_batch, load_number
    from {{ cdc_event_store() }} as stored
    union all
    select null, null, null
),

batches as (
    select vendor, landing_batch, max(load_number) as read_by
    from landed_or_stored
    group by vendor, landing_batch
),

numbered as (
    select
        *,
        coalesce(max(read_by) over (), 0) as last_load_number
    from batches
)
{%- if has_log %},

-- Batches at which a run died are read apart from all others, the half first at which the fewest runs have died. One at
-- which two have is left out, and so is what an operator has set aside. The line without a vendor stands for a run that
-- reads no batch.
unread as (
    select
        numbered.*,
        coalesce(states.deaths, 0) as deaths
    from numbered
    left join {{ cdc_batch_states() }} as states
        on numbered.vendor = states.vendor and numbered.landing_batch = states.landing_batch
    where
        numbered.read_by is null
        and not coalesce(states.is_set_aside, false)
        and coalesce(states.deaths, 0) < 2
),

suspected as (
    select
        vendor,
        landing_batch,
        row_number() over (order by vendor asc, landing_batch asc) as place,
        count(*) over () as suspects
    from unread
    where deaths > 0
),

to_read as (
    select unread.*
    from unread
    left join suspected
        on unread.vendor = suspected.vendor and unread.landing_batch = suspected.landing_batch
    where
        unread.vendor is null
        or suspected.place <= ceil(suspected.suspects / 2)
        or (select count(*) from suspected as any_suspected) = 0
)
{%- else %},

to_read as (
    select *
    from numbered
    where read_by is null
)
{%- endif %}

select
    greatest({{ (run_started_at.timestamp() * 1000000) | int }}, last_load_number + 1) as load_number,
    last_load_number,
    vendor,
    landing_batch
from to_read

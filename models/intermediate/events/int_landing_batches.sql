{{ config(materialized='table', file_format=cdc_work_format()) }}
-- The landing batches that this run reads, fixed when it starts; one row without a vendor carries the number of the
-- load.
{%- do cdc_refuse_rebuild_without_raw() if cdc_is_rebuild() %}

with landed as (
    {%- for spec in cdc_vendors() %}
    select distinct
        '{{ spec.name }}' as vendor,
        landing_batch
    from {{ cdc_raw_relation(spec.name) }}
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

read_before as (
    select
        vendor,
        landing_batch,
        max(load_number) as load_number
    from {{ cdc_event_store() }} as stored
    group by vendor, landing_batch
),

this_load as (
    select
        coalesce(max(load_number), 0) as last_load_number,
        greatest({{ cdc_run_started_micros() }}, coalesce(max(load_number), 0) + 1) as load_number
    from read_before
),

unread as (
    select
        landed.vendor,
        landed.landing_batch
    from landed
    left anti join read_before
        on landed.vendor = read_before.vendor and landed.landing_batch = read_before.landing_batch
)

select
    load_number,
    last_load_number,
    cast(null as string) as vendor,
    cast(null as bigint) as landing_batch
from this_load
union all
select
    this_load.load_number,
    this_load.last_load_number,
    unread.vendor,
    unread.landing_batch
from unread
cross join this_load

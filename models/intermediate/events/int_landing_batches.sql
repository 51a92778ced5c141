{{ config(materialized='table', file_format=cdc_work_format()) }}
{%- do cdc_refuse_rebuild_without_raw() if cdc_is_rebuild() %}

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

select
    greatest({{ (run_started_at.timestamp() * 1000000) | int }}, last_load_number + 1) as load_number,
    last_load_number,
    vendor,
    landing_batch
from numbered
where read_by is null

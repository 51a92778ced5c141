{{ config(materialized='table', file_format=cdc_work_format()) }}
{%- do cdc_check_rebuild() if cdc_is_rebuild() %}
{%- set has_log = not cdc_is_in_a_run() or cdc_working_table_exists('int_batch_log') %}

-- Every landing batch of the raw tables, and every one of the event store with the load that read it. A line without a
-- vendor stands for a run that finds no batch.
with landed_or_stored as (
    {%- for spec in cdc_vendors() %}
    select
        '{{ spec.name }}' as vendor,
        landing_batch,
        cast(null as bigint) as load_number
    from {{ cdc_raw_relation(spec.name) }}
    union all
    {%- endfor %}
    select
        vendor,
        landing_batch,
        load_number
    from {{ cdc_stored_events() }} as stored
    union all
    select
        null,
        null,
        null
),

-- Every landing batch once.
batches as (
    select
        vendor,
        landing_batch,
        max(load_number) as read_by
    from landed_or_stored
    group by vendor, landing_batch
),

-- Every landing batch with the number of the last load, which is one for all vendors.
numbered as (
    select
        *,
        coalesce(max(read_by) over (), 0) as last_load_number
    from batches
)
{%- if has_log %},

-- What is left out (two runs died at it, one of them alone with it), and what an operator has set aside, is not read.
-- The line without a vendor stands for a run that reads no batch.
unread as (
    select
        numbered.*,
        coalesce(states.runs_that_died, 0) as runs_that_died
    from numbered
    left join {{ cdc_batch_states() }} as states
        on numbered.vendor = states.vendor and numbered.landing_batch = states.landing_batch
    where
        numbered.read_by is null
        and not coalesce(states.is_left_out or states.is_set_aside, false)
),

-- Of the batches at which two runs died this run reads the half at which the fewest did, and nothing else: so the batch
-- is found that they die at.
suspected as (
    select
        vendor,
        landing_batch,
        row_number() over (order by runs_that_died asc, vendor asc, landing_batch asc) as suspect_number,
        count(*) over () as suspects
    from unread
    where runs_that_died >= 2
),

-- The landing batches that this run reads.
to_read as (
    select unread.*
    from unread
    left join suspected
        on unread.vendor = suspected.vendor and unread.landing_batch = suspected.landing_batch
    where
        unread.vendor is null
        or suspected.suspect_number <= ceil(suspected.suspects / 2)
        or (select count(*) from suspected as any_suspected) = 0
)
{%- else %},

-- The landing batches that this run reads: all that no load has read.
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

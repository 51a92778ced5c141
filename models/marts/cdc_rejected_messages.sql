{{ config(materialized='cdc_view', contract={'enforced': true}, access='public') }}
{%- set columns = [
    'vendor', 'source', 'database_name', 'schema_name', 'table_name', 'reason', 'reason_detail', 'value',
    'landing_batch', 'topic', '`partition`', '`offset`', 'event_index', '`timestamp`',
] %}

with finished_loads as (
    select distinct load_number from {{ ref('cdc_loads') }}
),

last_finished_load as (
    select max(load_number) as load_number from finished_loads
),

final as (
    select logged.{{ columns | join(', logged.') }}
    from {{ ref('cdc_rejected_log') }} as logged
    left semi join finished_loads on logged.load_number = finished_loads.load_number
    union all
    -- Without a value of the key it cannot be read, unless columns that arrive late name another key.
    select waiting.{{ columns | join(', waiting.') }}
    from {{ ref('cdc_pending_log') }} as waiting
    left semi join last_finished_load on waiting.load_number = last_finished_load.load_number
    where waiting.reason = 'NULL_KEY'
)

select * from final

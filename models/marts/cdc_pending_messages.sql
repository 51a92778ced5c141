{{ config(materialized='cdc_view', contract={'enforced': true}, access='public') }}

with last_finished_load as (
    select max(load_number) as load_number from {{ ref('cdc_loads') }}
),

final as (
    select
        logged.vendor,
        logged.source,
        logged.database_name,
        logged.schema_name,
        logged.table_name,
        logged.reason,
        logged.reason_detail,
        logged.value,
        logged.landing_batch as waiting_since_landing_batch,
        logged.topic,
        logged.`partition`,
        logged.`offset`,
        logged.event_index,
        logged.`timestamp`
    from {{ ref('cdc_pending_log') }} as logged
    left semi join last_finished_load on logged.load_number = last_finished_load.load_number
    -- Shown as rejected.
    where logged.reason <> 'NULL_KEY'
)

select * from final

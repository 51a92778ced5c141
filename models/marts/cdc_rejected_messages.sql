{{ config(materialized='cdc_view', contract={'enforced': true}, access='public') }}

with finished_loads as (
    select distinct load_number from {{ ref('cdc_loads') }}
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
        logged.landing_batch,
        logged.topic,
        logged.`partition`,
        logged.`offset`,
        logged.event_index,
        logged.`timestamp`
    from {{ ref('cdc_rejected_log') }} as logged
    left semi join finished_loads on logged.load_number = finished_loads.load_number
)

select * from final

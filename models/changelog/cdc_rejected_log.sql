{{ config(materialized='cdc_table', cdc_write='append', full_refresh=false, cdc_outcome='rejected') }}

with rejected as (
    select
        vendor,
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        event_index,
        reason,
        reason_detail,
        element as value,
        `key`,
        headers,
        `timestamp`,
        database_name,
        schema_name,
        table_name
    from {{ ref('cdc_run_elements') }}
    where outcome = 'rejected' and origin <> 'again'
),

this_run as (
    select max(load_number) as load_number from {{ ref('cdc_run_batches') }}
),

final as (
    select
        rejected.*,
        this_run.load_number
    from rejected
    cross join this_run
)

select * from final

{{ config(materialized='cdc_table', cdc_write='append', full_refresh=false) }}

-- What was rejected, and changes of earlier runs that turn out to be.
with withdrawn as (
    select element_id from {{ ref('cdc_run_exceptions') }}
    where placing = 'withdraw'
),

rejected as (
    select
        elements.vendor,
        elements.source,
        elements.landing_batch,
        elements.topic,
        elements.`partition`,
        elements.`offset`,
        elements.event_index,
        elements.reason,
        elements.reason_detail,
        elements.element as value,
        elements.`key`,
        elements.headers,
        elements.`timestamp`,
        elements.database_name,
        elements.schema_name,
        elements.table_name
    from {{ ref('cdc_run_elements') }} as elements
    left join withdrawn on elements.element_id = withdrawn.element_id
    where elements.outcome = 'rejected' and (elements.origin <> 'again' or withdrawn.element_id is not null)
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

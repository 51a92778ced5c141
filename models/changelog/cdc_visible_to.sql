{{
    config(
        materialized='cdc_table',
        cdc_write='replace',
        file_format=cdc_work_format(),
        enabled=var('cdc_visibility', 'all') == 'transaction',
    )
}}

-- After the load is finished, and changes that it withdraws are gone.
-- depends_on: {{ ref('cdc_loads') }}

-- The first transaction of a source that is not known to be whole: the marts show what lies before it.
with transactions_not_whole as (
    select
        vendor,
        source,
        epoch,
        first_position,
        transaction_id
    from {{ ref('cdc_transactions') }}
    where
        not coalesce(is_complete, false)
        and first_position is not null
        and source not in ({{ cdc_sources_lifted() }})
),

first_not_whole as (
    select
        vendor,
        source,
        min(struct(epoch, first_position, transaction_id)) as waited_for
    from transactions_not_whole
    group by vendor, source
),

final as (
    select
        vendor,
        source,
        waited_for.epoch,
        waited_for.first_position as position,
        waited_for.transaction_id
    from first_not_whole
)

select * from final

{{ config(materialized='table', enabled=var('cdc_visibility', 'all') == 'transaction') }}

-- The first transaction of each source that is not known to be whole.
with not_whole as (
    select
        vendor,
        source,
        min(struct(epoch, first_position, transaction_id)) as first_not_whole
    from {{ ref('int_transactions') }}
    where
        not coalesce(is_complete, false) and first_position is not null
        and source not in ({{ cdc_sql_list(var('cdc_visibility_lifted_for', [])) }})
    group by vendor, source
)

select
    vendor,
    source,
    first_not_whole.epoch as epoch,
    first_not_whole.first_position as position,
    first_not_whole.transaction_id as transaction_id
from not_whole

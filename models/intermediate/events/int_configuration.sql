{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}
-- depends_on: {{ ref('int_landing_batches') }}
{%- set configuration = cdc_configuration_lines() %}
{%- do cdc_refuse_contradiction(configuration, this) if is_incremental() %}

with configured as (
    {{ configuration }}
)

select
    (select max(batches.load_number) from {{ ref('int_landing_batches') }} as batches) as load_number,
    line,
    is_for_marts_alone
from configured
{%- if is_incremental() %}
where
    (select sort_array(collect_list(today.line)) from configured as today) is distinct from (
        select sort_array(collect_list(last_one.line)) from {{ this }} as last_one
        where last_one.load_number = (select max(recorded.load_number) from {{ this }} as recorded)
    )
{%- endif %}

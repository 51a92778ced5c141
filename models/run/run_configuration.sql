{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}
-- depends_on: {{ ref('run_landing_batches') }}
{%- set configuration = cdc_configuration_lines() %}
{%- set is_recorded = is_incremental() and cdc_is_recorded(configuration, this) %}
{%- do cdc_check_configuration(configuration, this) if is_incremental() and not is_recorded %}

select
    (select max(batches.load_number) from {{ ref('run_landing_batches') }} as batches) as load_number,
    line,
    affects_marts_only
from ({{ configuration }}) as configured
{%- if is_recorded %}
where false
{%- endif %}

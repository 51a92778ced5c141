{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}
{%- set changes = ref('run_configuration_changes') %}
{%- set contradictions = ref('run_configuration_contradictions') %}
{%- set has_changed = not is_incremental() or cdc_has_rows(changes) %}
{%- do cdc_check_configuration(contradictions) if is_incremental() and has_changed %}

select
    (select max(batches.load_number) from {{ ref('run_landing_batches') }} as batches) as load_number,
    line,
    affects_marts_only
from {{ ref('run_configuration_lines') }}
{%- if not has_changed %}
where false
{%- endif %}

{#- Names of the vendors that this run has something to read of: new landing batches, or messages that wait. Everything that
    is specific to the others is left out of the run's statements, so that a run's cost follows what came in.
    While dbt parses, and before cdc_run_batches exists, all vendors. -#}
{% macro cdc_active_vendors() -%}
    {%- set batches = adapter.get_relation(
        database=none, schema=var('cdc_work_schema', 'cdc_work'), identifier='cdc_run_batches') if execute else none -%}
    {{ return(cdc_vendors() | map(attribute='name') | list if batches is none else cdc_run_facts().active_vendors) }}
{%- endmacro %}

{#- The ledger of landing, a name, or nothing where no lander has written one. dbt lists no schema in which it builds nothing. -#}
{% macro cdc_landing_ledger() -%}
    {%- set schema = var('cdc_raw_schema', 'cdc_raw') -%}
    {%- if cdc_is_in_a_run() and run_query('show tables in ' ~ schema ~ " like '_landed_files'").rows -%}
        {{ return(schema ~ '._landed_files') }}
    {%- endif -%}
{%- endmacro %}

{#- The schema of the working tables: where dbt has put the model int_events, whatever decided that. -#}
{% macro cdc_work_schema() -%}
    {{ return(cdc_schema_of('int_events', var('cdc_work_schema', 'cdc_work'))) }}
{%- endmacro %}

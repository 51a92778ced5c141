{#- Creates schemas and raw tables that are not there yet, typed and empty: a vendor without messages stops no other. -#}
{% macro cdc_prepare_schemas() -%}
    {%- for schema in [var('cdc_raw_schema', 'cdc_raw'), cdc_schema(), cdc_work_schema()] -%}
        {%- do run_query('create schema if not exists ' ~ schema) -%}
    {%- endfor -%}
    {%- for spec in cdc_vendors() if not var('cdc_raw_tables', {}).get(spec.name) -%}
        {%- set columns = [] -%}
        {%- for column in cdc_raw_columns() -%}
            {%- do columns.append('`' ~ column.name ~ '` ' ~ column.type) -%}
        {%- endfor -%}
        {%- do run_query(
            'create table if not exists ' ~ source('cdc_raw', spec.name) ~ ' (' ~ columns | join(', ') ~ ') using '
            ~ env_var('CDC_TABLE_FORMAT', 'delta') ~ ' partitioned by (landing_batch)') -%}
        {%- do adapter.cache_added(source('cdc_raw', spec.name)) -%}
    {%- endfor -%}
{%- endmacro %}

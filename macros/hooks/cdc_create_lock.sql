{#- Creates the tables of the lock where the lock is a table and they are not there yet; nobody holds it then. -#}
{% macro cdc_create_lock() -%}
    {%- if cdc_lock_is_a_table() and not (cdc_working_table_exists('run_lock') and cdc_working_table_exists('run_heartbeat')) -%}
        {%- do run_query('create schema if not exists ' ~ cdc_work_schema()) -%}
        {%- for note in ['lock', 'heartbeat'] -%}
            {%- do run_query(
                'create table if not exists ' ~ cdc_lock_table(note) ~ ' using ' ~ env_var('CDC_TABLE_FORMAT', 'delta')
                ~ " as select 'ended@0' as note"
            ) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

{#- Creates, when a run starts, the schemas and the raw tables that are not there yet (typed and empty), so that a vendor
    nobody lands messages of does not stop the others. Touches nothing that exists. -#}
{% macro cdc_prepare_schemas() -%}
    {%- if execute and flags.WHICH in ['run', 'build', 'seed', 'test', 'compile'] -%}
        {%- do cdc_check_parsed_vendors() -%}
        {%- do cdc_set_session() -%}
        {%- set table_format = env_var('CDC_TABLE_FORMAT', 'delta') -%}
        {%- for schema in [var('cdc_raw_schema', 'cdc_raw'), var('cdc_schema', 'cdc'), var('cdc_work_schema', 'cdc_work')] -%}
            {%- do run_query('create schema if not exists ' ~ schema) -%}
        {%- endfor -%}
        {%- for spec in cdc_vendors() if not var('cdc_raw_tables', {}).get(spec.name) -%}
            {%- set columns = [] -%}
            {%- for column in cdc_raw_columns() -%}
                {%- do columns.append('`' ~ column.name ~ '` ' ~ column.type) -%}
            {%- endfor -%}
            {%- do run_query(
                'create table if not exists ' ~ source('cdc_raw', spec.name) ~ ' (' ~ columns | join(', ') ~ ') using '
                ~ table_format ~ ' partitioned by (landing_batch)') -%}
        {%- endfor -%}
        {%- set notes = ['cdc_watermarks (model_name string, load_number bigint, history_configuration string, run_number bigint)'] -%}
        {%- if cdc_shows_whole_transactions() -%}
            {%- do notes.append(
                'cdc_visibility_log (run_number bigint, vendor string, source string, epoch int, position string)') -%}
        {%- endif -%}
        {%- if table_format == 'parquet' -%} {%- do notes.append('cdc_rewrites (relation string, is_done boolean)') -%} {%- endif -%}
        {%- for table in notes -%}
            {%- do run_query(
                'create table if not exists ' ~ var('cdc_work_schema', 'cdc_work') ~ '.' ~ table ~ ' using ' ~ table_format) -%}
        {%- endfor -%}
    {%- endif -%}
{%- endmacro %}

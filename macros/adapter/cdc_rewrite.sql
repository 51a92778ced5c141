{#- Overwrites a table of a format without transactions, which would lose its rows were the run killed halfway. The new rows are
    written to a copy `<table>__rewritten` first, and that the copy is whole is noted in cdc_rewrites; the next run copies it
    again where this one did not come to note the end. The select may read the table itself. -#}
{% macro cdc_rewrite(relation, sql, statement_name='main') -%}
    {%- set copy = relation ~ '__rewritten' -%}
    {%- do run_query('drop table if exists ' ~ copy) -%}
    {%- do run_query('create table if not exists ' ~ copy ~ ' like ' ~ relation ~ ' using parquet') -%}
    {%- call statement(statement_name) -%} insert overwrite table {{ copy }} by name {{ sql }} {%- endcall -%}
    {{ cdc_copy_rewritten(relation) }}
{%- endmacro %}

{#- Puts the rows of a table's copy into the table. -#}
{% macro cdc_copy_rewritten(relation) -%}
    {%- set note = 'insert into ' ~ var('cdc_work_schema', 'cdc_work') ~ ".cdc_rewrites values ('" ~ relation ~ "', " -%}
    {%- do run_query(note ~ 'false)') -%}
    {%- do run_query('insert overwrite table ' ~ relation ~ ' by name select * from ' ~ relation ~ '__rewritten') -%}
    {%- do run_query(note ~ 'true)') -%}
{%- endmacro %}

{#- Ends what a killed run had begun with cdc_rewrite. Nothing to do where the table format has transactions. -#}
{% macro cdc_end_rewrites() -%}
    {%- if env_var('CDC_TABLE_FORMAT', 'delta') != 'parquet' -%} {{ return('') }} {%- endif -%}
    {%- set rewrites = var('cdc_work_schema', 'cdc_work') ~ '.cdc_rewrites' -%}
    {%- set begun = run_query('select relation, count_if(not is_done) > count_if(is_done) from ' ~ rewrites ~ ' group by relation') -%}
    {%- for relation, is_open in begun.rows if cdc_is_true(is_open) -%} {{ cdc_copy_rewritten(relation) }} {%- endfor -%}
    {%- if begun.rows | length -%} {%- do run_query('truncate table ' ~ rewrites) -%} {%- endif -%}
{%- endmacro %}

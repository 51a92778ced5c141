{#- Overwrites a table of a format without transactions, which would lose its rows were the run killed halfway. The new rows are
    written to a copy `<table>__rewritten_<run>` first, and that the copy is whole is noted in cdc_rewrites; the next run copies
    it again where this one did not come to note the end. The select may read the table itself. -#}
{% macro cdc_rewrite(relation, sql, statement_name='main') -%}
    {%- set copy = relation ~ '__rewritten_' ~ invocation_id | replace('-', '') -%}
    {%- do run_query('create table if not exists ' ~ copy ~ ' like ' ~ relation ~ ' using parquet') -%}
    {%- call statement(statement_name) -%} insert overwrite table {{ copy }} by name {{ sql }} {%- endcall -%}
    {{ cdc_copy_rewritten(copy) }}
{%- endmacro %}

{#- Puts the rows of a table's copy into the table. -#}
{% macro cdc_copy_rewritten(copy) -%}
    {%- set relation = (copy | string).split('__rewritten_')[0] -%}
    {%- set note = 'insert into ' ~ var('cdc_work_schema', 'cdc_work') ~ ".cdc_rewrites values ('" ~ copy ~ "', " -%}
    {%- do run_query(note ~ 'false)') -%}
    {%- do run_query('insert overwrite table ' ~ relation ~ ' by name select * from ' ~ copy) -%}
    {%- do run_query(note ~ 'true)') -%}
    {%- do run_query('drop table if exists ' ~ copy) -%}
{%- endmacro %}

{#- Ends what a killed run had begun with cdc_rewrite, and drops copies that nothing waits for. Nothing to do where the table
    format has transactions. -#}
{% macro cdc_end_rewrites() -%}
    {%- if env_var('CDC_TABLE_FORMAT', 'delta') != 'parquet' -%} {{ return('') }} {%- endif -%}
    {%- set rewrites = var('cdc_work_schema', 'cdc_work') ~ '.cdc_rewrites' -%}
    {%- set open = run_query(
        'select relation from ' ~ rewrites ~ ' group by relation having count_if(not is_done) > count_if(is_done)'
        ).columns[0].values() | map('lower') | list -%}
    {%- for schema in [var('cdc_schema', 'cdc'), var('cdc_work_schema', 'cdc_work')] | unique -%}
        {%- for table in run_query('show tables in ' ~ schema ~ " like '*__rewritten_*'").rows -%}
            {%- set copy = schema ~ '.' ~ table['tableName'] -%}
            {%- if copy | lower in open -%}
                {{ cdc_copy_rewritten(copy) }}
            {%- else -%}
                {%- do run_query('drop table if exists ' ~ copy) -%}
            {%- endif -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- if run_query('select 1 from ' ~ rewrites ~ ' limit 1').rows | length -%}
        {%- do run_query('truncate table ' ~ rewrites) -%}
    {%- endif -%}
{%- endmacro %}

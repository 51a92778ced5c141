{#- Deletes files of a Delta table that its state no longer holds. Unless told otherwise Delta lists files in 10,000 tasks, which takes a
    minute for a table of one row. -#}
{% macro cdc_vacuum(table, retention='') -%}
    {%- set parallelism = 'spark.sql.sources.parallelPartitionDiscovery.parallelism' -%}
    {%- do run_query('set ' ~ parallelism ~ ' = 64') -%}
    {%- do run_query('vacuum ' ~ table ~ ' ' ~ retention) -%}
    {%- do run_query('reset ' ~ parallelism) -%}
{%- endmacro %}

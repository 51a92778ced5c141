{#- The format of a table that lives for one run: it is written whole, read by the models after it, and needs no history. Plain
    Parquet costs a third of a transactional table there, in writing and in the planning of every query that reads it. A
    catalog that knows one format only keeps that one. -#}
{% macro cdc_work_format() -%}
    {{ return('iceberg' if env_var('CDC_TABLE_FORMAT', 'delta') == 'iceberg' else 'parquet') }}
{%- endmacro %}

{#- The format of a table that lives for one run: plain Parquet, where the catalog has it. -#}
{% macro cdc_work_format() -%}
    {{ return('iceberg' if env_var('CDC_TABLE_FORMAT', 'delta') == 'iceberg' else 'parquet') }}
{%- endmacro %}

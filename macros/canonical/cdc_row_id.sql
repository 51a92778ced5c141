{#- Identity of a row over all vendors. -#}
{% macro cdc_row_id(row_key) -%}
    {{ cdc_hash(['vendor', 'source', 'database_name', 'schema_name', 'table_name', row_key]) }}
{%- endmacro %}

{#- Identity of a row over all vendors. Table and key are JSON lists, which say themselves where they end: no name can imitate another. -#}
{% macro cdc_row_id(row_key) -%}
    {{ cdc_hash('concat(table_key, ' ~ row_key ~ ')') }}
{%- endmacro %}

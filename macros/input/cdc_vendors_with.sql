{#- The vendors whose spec has a value under a key, as a SQL list of names. -#}
{% macro cdc_vendors_with(key, value) -%}
    {{ cdc_sql_list(cdc_vendors() | selectattr(key, 'equalto', value) | map(attribute='name')) }}
{%- endmacro %}

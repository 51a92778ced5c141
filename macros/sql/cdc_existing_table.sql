{#- What an earlier run left in a working table downstream of the caller (a `ref` would be a cycle), or no rows. -#}
{% macro cdc_existing_table(identifier, columns) -%}
    {%- if cdc_is_rebuild() or cdc_is_unit_test() -%} {{ cdc_no_rows(columns) }}
    {%- else -%} {{ cdc_relation_or_no_rows(cdc_work_schema(), identifier, columns) }}
    {%- endif -%}
{%- endmacro %}

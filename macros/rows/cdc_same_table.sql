{#- Whether two relations name the same table of the same source. -#}
{% macro cdc_same_table(first, second) -%}
    {%- for column in ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] -%}
    {{ ' and ' if not loop.first }}{{ first }}.{{ column }} <=> {{ second }}.{{ column }}
    {%- endfor -%}
{%- endmacro %}

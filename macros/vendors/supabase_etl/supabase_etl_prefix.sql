{#- What stands before a cell's text in an image: the column's name as JSON text and a colon.
    name: SQL expression. -#}
{% macro supabase_etl_prefix(name) -%}
    concat(substring(to_json(array({{ name }})), 2, length(to_json(array({{ name }}))) - 2), ':')
{%- endmacro %}

{#- What finds the schemas of a table that is named by its schema and name; null without either. The length says where the schema ends. -#}
{% macro qlik_table_key(schema_name, table_name) -%}
    concat('table ', length({{ schema_name }}), ' ', {{ schema_name }}, '.', {{ table_name }})
{%- endmacro %}

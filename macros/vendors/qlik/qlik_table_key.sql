{#- What a schema message is looked up by where rows name their table and no schema id (`id <schema id>` where they do).
    schema_name, table_name: SQL expressions; null where one of them is. -#}
{% macro qlik_table_key(schema_name, table_name) -%}
    concat('table ', {{ schema_name }}, '\n', {{ table_name }})
{%- endmacro %}

{#- What stands behind the table's name in a Kafka key, `table:value,value` or `schema.table:value,value`; null where the key is another
    table's or has no values. -#}
{% macro savegress_key_text(key, schema_name, table_name) -%}
    nullif(
        case
            when startswith({{ key }}, concat({{ table_name }}, ':'))
                then substring({{ key }}, length({{ table_name }}) + 2)
            when startswith({{ key }}, concat({{ schema_name }}, '.', {{ table_name }}, ':'))
                then substring({{ key }}, length({{ schema_name }}) + length({{ table_name }}) + 3)
        end,
        ''
    )
{%- endmacro %}

{#- The key's values out of a Kafka key, `table:value,value` or `schema.table:value,value`; null where it is another table's. -#}
{% macro savegress_key_values(key, schema_name, table_name) -%}
    case
        when startswith({{ key }}, concat({{ table_name }}, ':'))
            then split(nullif(substring({{ key }}, length({{ table_name }}) + 2), ''), ',')
        when startswith({{ key }}, concat({{ schema_name }}, '.', {{ table_name }}, ':'))
            then split(
                nullif(substring({{ key }}, length({{ schema_name }}) + length({{ table_name }}) + 3), ''), ','
            )
    end
{%- endmacro %}

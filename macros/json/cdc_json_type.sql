{#- The JSON type of a value that was parsed as VARIANT: string, number, boolean, object or array; null for a JSON null. -#}
{% macro cdc_json_type(value) -%}
    case regexp_extract(schema_of_variant({{ value }}), '^[A-Z]+', 0)
        when 'STRING' then 'string'
        when 'BOOLEAN' then 'boolean'
        when 'OBJECT' then 'object'
        when 'ARRAY' then 'array'
        when 'VOID' then cast(null as string)
        else 'number'
    end
{%- endmacro %}

{#- A member of a message that may have any JSON type, as JSON text: from_json reads a string without its quotes. -#}
{% macro cdc_json_value_as_sent(event, name, as_read) -%}
    case
        when {{ as_read }} is null then null
        when startswith({{ as_read }}, '{') or startswith({{ as_read }}, '[') then {{ as_read }}
        when contains({{ event }}, concat('"{{ name }}":', {{ as_read }})) then {{ as_read }}
        else {{ cdc_json_string(as_read) }}
    end
{%- endmacro %}

{#- An item of a list of events as JSON text: a string comes out of a list without its quotes, and gets them back unless it holds JSON. -#}
{% macro cdc_json_list_item(item) -%}
    case
        when {{ item }} is null then null
        when (startswith({{ item }}, '{') and endswith({{ item }}, '}')) or {{ cdc_is_one_json_value(item) }} then {{ item }}
        else {{ cdc_json_string(item) }}
    end
{%- endmacro %}

{#- A value of a row image as part of a key: a number by its value, anything else by its text. `value` is its text as the image has it. -#}
{% macro cdc_json_key_value(image, column_name, value) -%}
    case
        -- Only text that looks like a number in another spelling makes the image be looked at again.
        when not coalesce({{ value }} rlike '^-?[0-9]+(?:[.][0-9]+)?(?:[eE][+-]?[0-9]{1,9})?$', false) then {{ value }}
        when {{ value }} rlike '^(?:0|-?[1-9][0-9]*)$' then {{ value }}
        when schema_of_variant(try_element_at(from_json({{ image }}, 'map<string,variant>'), {{ column_name }})) = 'STRING'
            then {{ value }}
        else {{ cdc_json_number(value) }}
    end
{%- endmacro %}

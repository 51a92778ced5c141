{#- Whether a text is exactly one JSON value; keys may be repeated. -#}
{% macro cdc_is_one_json_value(text) -%}
    coalesce(size(from_json(
        concat('[', {{ text }}, ']'), 'array<string>',
        map('allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false')
    )) = 1 and json_object_keys(concat('{"value":', {{ text }}, '}')) is not null, false)
{%- endmacro %}

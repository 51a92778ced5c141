{#- The name that stands in quotes in a JSON text. -#}
{% macro cdc_json_name(quoted) -%}
    if(
        contains({{ quoted }}, '\\'),
        element_at(from_json(concat('[', {{ quoted }}, ']'), 'array<string>'), 1),
        substring({{ quoted }}, 2, length({{ quoted }}) - 2)
    )
{%- endmacro %}

{#- A JSON text as VARIANT, its value at $[0]; null where it is not exactly one JSON value or repeats a key. -#}
{% macro cdc_json_document(text) -%}
    try_parse_json(concat('[', {{ text }}, ']'))
{%- endmacro %}

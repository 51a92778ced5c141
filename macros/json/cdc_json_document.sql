{#- A JSON text as VARIANT, the text's value at $[0]. It is strict: null where the text is not exactly one JSON value, where an
    object in it holds a key twice, or where it is nested 998 levels deep. It keeps the types of values apart.
    text: SQL expression; cdc_long_numbers_as_text of a text that may hold numbers of more than 38 digits. -#}
{% macro cdc_json_document(text) -%}
    try_parse_json(concat('[', {{ text }}, ']'))
{%- endmacro %}

{#- A JSON text as VARIANT, the text's value at $[0]. It is strict: null where the text is not exactly one JSON value, where an
    object in it holds a key twice, or where it is nested 998 levels deep. It keeps the types of values apart.
    text: SQL expression. has_inexact_numbers: SQL condition, cdc_has_inexact_numbers of the text. -#}
{% macro cdc_json_document(text, has_inexact_numbers) -%}
    try_parse_json(concat(
        '[', case when {{ has_inexact_numbers }} then {{ cdc_long_numbers_as_text(text) }} else {{ text }} end, ']'
    ))
{%- endmacro %}

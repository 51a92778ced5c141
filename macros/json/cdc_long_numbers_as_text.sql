{#- JSON text in which every number that VARIANT cannot hold is a string: one of more than 38 digits, or with an exponent of
    300 and more. The pattern walks from token to token (\G), so digits inside strings stay alone.
    text: SQL expression. -#}
{% macro cdc_long_numbers_as_text(text) -%}
    {%- set string = '"(?:[^"\\\\\\\\]++|\\\\\\\\.)*+"' -%}
    {%- set number = '[0-9][0-9.eE+-]*+' -%}
    {%- set is_long = '(?:(?:[.]?[0-9]){39}|[0-9.]+[eE][+]?(?:[3-9][0-9]{2}|[0-9]{4}))' -%}
    regexp_replace(
        {{ text }},
        '\\G((?:{{ string }}|-?(?!{{ is_long }}){{ number }}|[^"0-9-]++)*+)(-?{{ number }})',
        '$1"$2"'
    )
{%- endmacro %}

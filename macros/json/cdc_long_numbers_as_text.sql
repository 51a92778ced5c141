{#- JSON text in which every number that VARIANT cannot hold is a string. The pattern walks from token to token (\G), past strings. -#}
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

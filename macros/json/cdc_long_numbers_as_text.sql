{#- JSON text in which every number that VARIANT cannot hold is a string. The pattern walks from token to token (\G), past strings. -#}
{% macro cdc_long_numbers_as_text(text) -%}
    {%- set string = '"(?:[^"\\\\\\\\]++|\\\\\\\\.)*+"' -%}
    {%- set number = '[0-9][0-9.eE+-]*+' -%}
    {%- set large_exponent = '[eE][+-]?0*(?:[3-9][0-9]{2}|[1-9][0-9]{3})' -%}
    {%- set is_long = '(?:(?:[.]?[0-9]){39}|[0-9.]+' ~ large_exponent ~ '|[0-9]{16,}[eE])' -%}
    regexp_replace(
        {{ text }},
        '\\G((?:{{ string }}|-?(?!{{ is_long }}){{ number }}|[^"0-9-]++)*+)(-?{{ number }})',
        '$1"$2"'
    )
{%- endmacro %}

{#- JSON text in which -0.0 has an exponent: VARIANT reads it as decimal without. The pattern walks from token to token (\G). -#}
{% macro cdc_negative_zeros_as_double(text) -%}
    {%- set string = '"(?:[^"\\\\\\\\]++|\\\\\\\\.)*+"' -%}
    {%- set negative_zero = '-0[.]0++(?![0-9eE])' -%}
    regexp_replace({{ text }}, '\\G((?:{{ string }}|[^"-]++|(?!{{ negative_zero }})-)*+){{ negative_zero }}', '$1-0e0')
{%- endmacro %}

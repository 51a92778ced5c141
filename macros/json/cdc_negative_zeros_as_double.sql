{#- JSON text in which -0.0 has an exponent. VARIANT reads a number without one as decimal, which has no negative zero.
    The pattern walks from token to token (\G), so digits inside strings stay alone. text: SQL expression. -#}
{% macro cdc_negative_zeros_as_double(text) -%}
    {%- set string = '"(?:[^"\\\\\\\\]++|\\\\\\\\.)*+"' -%}
    {%- set negative_zero = '-0[.]0++(?![0-9eE])' -%}
    regexp_replace({{ text }}, '\\G((?:{{ string }}|[^"-]++|(?!{{ negative_zero }})-)*+){{ negative_zero }}', '$1-0e0')
{%- endmacro %}

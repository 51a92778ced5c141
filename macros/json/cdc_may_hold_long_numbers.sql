{#- Whether a JSON text may hold a number that VARIANT cannot hold: one with more than 38 digits, or with a large exponent. Digits of a text
    that look like one make it true as well, which costs time and changes nothing. -#}
{% macro cdc_may_hold_long_numbers(text) -%}
    ({{ text }} rlike '[0-9][0-9.]{38}|[0-9.][eE][+-]?[0-9]{3}|[0-9]{16}[eE]')
{%- endmacro %}

{#- Whether from_json may have changed a number of a JSON text: one with many digits, many zeros, or an exponent. Text in quotes
    that looks like such a number makes it true as well, which costs time and changes nothing. -#}
{% macro cdc_may_hold_inexact_numbers(text) -%}
    ({{ cdc_has_inexact_numbers(text) }} or {{ text }} rlike '[0-9][eE][+-]?[0-9]')
{%- endmacro %}

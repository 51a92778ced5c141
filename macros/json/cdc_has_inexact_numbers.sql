{#- True where from_json would not return every number of a JSON text as it was sent. It passes numbers with a fraction
    through double, which changes those of 16 and more digits, and which writes those with 8 and more digits before the
    point, or with 3 zeros behind it, with an exponent. Integers of any size stay as they are.
    The expression stops at points that digits follow but not a quote, and looks back from there; starting at the digits would
    cost twice as much. A point in a text (`build 20261124.1 of …`) may be taken for a number's, which costs time only.
    A number of 40 and more characters counts in quotes too: cdc_long_numbers_as_text has put it there.
    text: SQL expression. -#}
{% macro cdc_has_inexact_numbers(text) -%}
    {%- set after_many_digits = '(?<=[0-9]{8}[.])|(?<=[^0-9]0[.])000|(?<=(?=[0-9.]{17})[0-9]{1,7}[.])' -%}
    ({{ text }} rlike '[.](?=[0-9])(?:(?![0-9]+")(?:{{ after_many_digits }})|(?<=(?=[0-9.]{40})[0-9]{1,39}[.]))')
{%- endmacro %}

{#- Whether from_json would not return every number of a JSON text as it was sent.
    The expression stops at points that digits follow, and looks back from there; starting at the digits would cost twice as
    much. A point of a text is none of a number where a letter, a quote or another point ends its digits; any other (`build
    20261124.1 of …`) costs time only.
    A number of 40 and more characters counts in quotes too: cdc_long_numbers_as_text has put it there. -#}
{% macro cdc_has_inexact_numbers(text) -%}
    {%- set after_8_digits = '(?<=[0-9]{8}[.])' -%}
    {%- set before_3_zeros = '(?<=(?<![0-9])0[.])(?=000)' -%}
    {%- set in_17_characters = '(?=[0-9]{9})(?<=(?=[0-9.]{17})[0-9]{1,7}[.])' -%}
    {%- set ends_as_text = '[0-9]++[."a-df-zA-DF-Z]' -%}
    {%- set in_40_characters = '(?:(?=[0-9]{19})|(?<=[0-9]{20}[.]))(?<=(?=[0-9.]{40})[0-9]{1,39}[.])' -%}
    ({{ text }} rlike '[.](?=[0-9])(?:(?:{{ after_8_digits }}|{{ before_3_zeros }}|{{ in_17_characters }})'
        || '(?!{{ ends_as_text }})|{{ in_40_characters }})')
{%- endmacro %}

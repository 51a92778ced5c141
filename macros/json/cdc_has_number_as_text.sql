{#- True where cdc_long_numbers_as_text makes a string of a number in a text.
    text: SQL expression. has_inexact_numbers: SQL condition, cdc_has_inexact_numbers of the text. -#}
{% macro cdc_has_number_as_text(text, has_inexact_numbers) -%}
    ({{ has_inexact_numbers }} and {{ text }} <> {{ cdc_long_numbers_as_text(text) }})
{%- endmacro %}

{#- Whether a number in a batch has more digits than VARIANT can hold. -#}
{% macro cdc_holds_long_numbers(batch) -%}
    ({{ cdc_may_hold_long_numbers(batch) }} and {{ batch }} <> {{ cdc_long_numbers_as_text(batch) }})
{%- endmacro %}

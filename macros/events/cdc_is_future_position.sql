{#- Whether a position begins at the end of its range, which no log reaches: the largest number of 32 or 63 bits, or all nines. -#}
{% macro cdc_is_future_position(position) -%}
    left({{ position }}, 8) in ('FFFFFFFF', '7FFFFFFF', '42949672', '99999999')
{%- endmacro %}

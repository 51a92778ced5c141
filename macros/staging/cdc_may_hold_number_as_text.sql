{#- Whether an event out of a batch holds a string that looks like a number which VARIANT cannot hold. -#}
{% macro cdc_may_hold_number_as_text(event) -%}
    {{ event }} rlike '"-?(?:[0-9.]{40}|[0-9.]+[eE][+-]?[0-9]+")'
{%- endmacro %}

{#- A boolean out of a query's result, where it may have come as text; null is false. -#}
{% macro cdc_is_true(value) -%}
    {{ return(value | string | lower == 'true') }}
{%- endmacro %}

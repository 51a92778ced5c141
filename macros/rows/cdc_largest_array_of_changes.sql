{#- The most changes of a group of rows that one array holds; those of a larger group are folded one by one. -#}
{% macro cdc_largest_array_of_changes() -%}
    {{ return(var('cdc_largest_array_of_changes', 10000) | int) }}
{%- endmacro %}

{#- An expression in which a part has a name, and is calculated once. -#}
{% macro cdc_let(name, value, expression) -%}
    element_at(transform(array({{ value }}), {{ name }} -> {{ expression }}), 1)
{%- endmacro %}

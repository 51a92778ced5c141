{#- A text as JSON writes it, in quotes. -#}
{% macro cdc_json_string(text) -%}
    substring(to_json(array({{ text }})), 2, length(to_json(array({{ text }}))) - 2)
{%- endmacro %}

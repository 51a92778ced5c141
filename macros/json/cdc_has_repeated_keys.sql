{#- Whether a JSON object holds a key twice. -#}
{% macro cdc_has_repeated_keys(fields) -%}
    coalesce(size({{ fields }}) > size(array_distinct(map_keys({{ fields }}))), false)
{%- endmacro %}

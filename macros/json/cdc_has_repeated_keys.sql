{#- True where a JSON object holds a key twice. fields: SQL expression of the map that from_json read out of it, which keeps
    both. -#}
{% macro cdc_has_repeated_keys(fields) -%}
    coalesce(size({{ fields }}) > size(array_distinct(map_keys({{ fields }}))), false)
{%- endmacro %}

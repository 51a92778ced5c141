{#- True where a JSON object holds a key twice; false for null.
    fields: SQL expression of the object as from_json gives it for map<string,…>, which keeps both. -#}
{% macro sqlserver_ces_has_repeats(fields) -%}
    coalesce(size({{ fields }}) > size(array_distinct(map_keys({{ fields }}))), false)
{%- endmacro %}

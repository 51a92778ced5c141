{#- The value of the first header whose name matches. Names have no case: the map is searched, since none can have equal keys. -#}
{% macro savegress_header(headers, name) -%}
    try_element_at(filter(map_entries({{ headers }}), header -> lower(trim(header.key)) rlike '^{{ name }}$'), 1).value
{%- endmacro %}

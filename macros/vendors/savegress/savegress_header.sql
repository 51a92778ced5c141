{#- The value of the first header that has one of the names, null where there is none.
    headers: SQL expression, map<string,string>; names: list of lower-case names.
    HTTP header names have no case, so a map may hold two spellings of one name: it is searched and
    not rebuilt, because a map cannot be built with equal keys. -#}
{% macro savegress_header(headers, names) -%}
    try_element_at(
        filter(
            map_entries({{ headers }}),
            header -> lower(trim(header.key)) in ('{{ names | join("', '") }}')
        ),
        1
    ).value
{%- endmacro %}

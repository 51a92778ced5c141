{#- The value of the first header whose name, in lower case, matches a pattern; null where there is none.
    headers: SQL expression, map<string,string>; name: regular expression.
    HTTP header names have no case, so a map may hold two spellings of one name: it is searched and
    not rebuilt, because a map cannot be built with equal keys. -#}
{% macro savegress_header(headers, name) -%}
    try_element_at(filter(map_entries({{ headers }}), header -> lower(trim(header.key)) rlike '^{{ name }}$'), 1).value
{%- endmacro %}

{#- What the headers of Kafka or of a webhook say of an event, a struct; null where there are no headers.
    headers: SQL expression, map<string,string>. -#}
{% macro savegress_headers(headers) -%}
    if({{ headers }} is null, null, named_struct(
        'id', {{ savegress_header(headers, '(x-)?savegress-event-id') }},
        'operation', {{ savegress_header(headers, '(x-)?savegress-operation') }},
        'table', {{ savegress_header(headers, '(x-)?savegress-table') }},
        'milliseconds', {{ savegress_header(headers, 'savegress-timestamp') }},
        'seconds', {{ savegress_header(headers, 'x-savegress-timestamp') }}
    ))
{%- endmacro %}

{#- The value of the first header that has one of the names, null where there is none.
    headers: SQL expression, map<string,string>; names: list of lower-case names.
    HTTP header names have no case, so a map may hold two spellings of one name: it is searched and
    not rebuilt, because a map cannot be built with equal keys. -#}
{% macro savegress_header(headers, names) -%}
    try_element_at(
        filter(map_entries({{ headers }}), header -> lower(trim(header.key)) in ('{{ names | join("', '") }}')), 1
    ).value
{%- endmacro %}

{#- What the headers of Kafka or of a webhook say of an event, a struct; null where there are no headers.
    headers: SQL expression, map<string,string>. -#}
{% macro savegress_headers(headers) -%}
    case
        when {{ headers }} is not null
            then named_struct(
                'id', {{ savegress_header(headers, ['savegress-event-id', 'x-savegress-event-id']) }},
                'operation', {{ savegress_header(headers, ['savegress-operation', 'x-savegress-operation']) }},
                'table', {{ savegress_header(headers, ['savegress-table', 'x-savegress-table']) }},
                'milliseconds', {{ savegress_header(headers, ['savegress-timestamp']) }},
                'seconds', {{ savegress_header(headers, ['x-savegress-timestamp']) }}
            )
    end
{%- endmacro %}

{#- The value of the first header whose name matches. Names have no case: the map is searched, since none can have equal keys. -#}
{% macro savegress_header(headers, name) -%}
    try_element_at(filter(map_entries({{ headers }}), header -> lower(trim(header.key)) rlike '^{{ name }}$'), 1).value
{%- endmacro %}

{#- What the headers of Kafka or of a webhook say of an event, a struct; null where there are no headers. -#}
{% macro savegress_headers(headers) -%}
    if({{ headers }} is null, null, named_struct(
        'id', {{ savegress_header(headers, '(x-)?savegress-event-id') }},
        'operation', {{ savegress_header(headers, '(x-)?savegress-operation') }},
        'table', {{ savegress_header(headers, '(x-)?savegress-table') }},
        {#- Of more digits, or less than 0, Spark makes a timestamp that no client can read, or stops. #}
        'milliseconds', regexp_substr({{ savegress_header(headers, 'savegress-timestamp') }}, '^[0-9]{1,14}$'),
        'seconds', regexp_substr({{ savegress_header(headers, 'x-savegress-timestamp') }}, '^[0-9]{1,11}$')
    ))
{%- endmacro %}

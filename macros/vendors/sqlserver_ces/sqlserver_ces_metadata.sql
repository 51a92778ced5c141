{#- Everything a message says beside what has a column of its own, as a JSON object: the attributes of the CloudEvent, then cols,
    pkkey and transaction as they stand in eventsource, images that the operation does not have, and fields that nobody knows.
    envelope, eventsource, eventrow: SQL expressions of the attributes and of the two parts of data, map<string,string>.
    segment_ids: SQL expression, array<string>. event: SQL expression of the message's text.
    data_document: SQL expression of the data as VARIANT at $[0]. operation, old_image, current_image: SQL expressions. -#}
{% macro sqlserver_ces_metadata(
    envelope, eventsource, eventrow, segment_ids, event, data_document, operation, old_image, current_image
) -%}
    {%- set texts = ['specversion', 'type', 'source', 'datacontenttype'] -%}
    {%- set typed = {'segmentindex': 'int', 'finalsegment': 'boolean', 'splitindex': 'int', 'splittotalcnt': 'int'} -%}
    {%- set attributes -%}
        to_json(named_struct(
            {%- for name in texts %} '{{ name }}', {{ envelope }}['{{ name }}'],{% endfor %}
            {%- for name, type in typed.items() %} '{{ name }}', try_cast({{ envelope }}['{{ name }}'] as {{ type }}),{% endfor %}
            'segments', coalesce({{ segment_ids }}, from_json({{ envelope }}['segments'], 'array<string>'))
        ))
    {%- endset -%}
    {%- set known = texts + typed.keys() | list
        + ['id', 'logicalid', 'time', 'operation', 'data', 'segments'] -%}
    {{ cdc_json_members({
        '*attributes': cdc_without_braces(attributes),
        '*other': cdc_other_members(
            cdc_json_document(event, 'false'), '$[0]', known, 'map_keys(' ~ envelope ~ ')'
        ),
        'eventsource': cdc_json_members({
            'cols': eventsource ~ "['cols']",
            'pkkey': eventsource ~ "['pkkey']",
            'transaction': eventsource ~ "['transaction']",
            '*other': cdc_other_members(
                data_document, '$[0].eventsource', ['db', 'schema', 'tbl', 'cols', 'pkkey', 'transaction'],
                'map_keys(' ~ eventsource ~ ')'
            ),
        }),
        'eventrow': "nullif(" ~ cdc_json_members({
            'old': 'case when ' ~ operation ~ " = 'insert' then " ~ old_image ~ ' end',
            'current': 'case when ' ~ operation ~ " = 'delete' then " ~ current_image ~ ' end',
            '*other': cdc_other_members(
                data_document, '$[0].eventrow', ['old', 'current'], 'map_keys(' ~ eventrow ~ ')'
            ),
        }) ~ ", '{}')",
        'data': "nullif(" ~ cdc_json_members({
            '*other': cdc_other_members(data_document, '$[0]', ['eventsource', 'eventrow']),
        }) ~ ", '{}')",
    }) }}
{%- endmacro %}

{#- What a message says beside what has a column: `metadata`, a JSON object, and the columns that it is put together of. -#}
{% macro sqlserver_ces_metadata_columns(
    envelope, eventsource, eventrow, segment_ids, event, data_document, operation, old_image, current_image
) -%}
    {%- set texts = ['specversion', 'type', 'source', 'datacontenttype'] -%}
    {%- set typed = {'segmentindex': 'int', 'finalsegment': 'boolean', 'splitindex': 'int', 'splittotalcnt': 'int'} -%}
    {%- set known = texts + typed.keys() | list + ['id', 'logicalid', 'time', 'operation', 'data', 'segments'] -%}
    to_json(named_struct(
        {%- for name in texts %} '{{ name }}', {{ envelope }}['{{ name }}'],{% endfor %}
        {%- for name, type in typed.items() %} '{{ name }}', try_cast({{ envelope }}['{{ name }}'] as {{ type }}),{% endfor %}
        'segments', coalesce({{ segment_ids }}, from_json({{ envelope }}['segments'], 'array<string>'))
    )) as attributes,
    {{ cdc_other_names('map_keys(' ~ envelope ~ ')', known) }} as other_attributes,
    {{ cdc_other_names(
        'map_keys(' ~ eventsource ~ ')', ['db', 'schema', 'tbl', 'cols', 'pkkey', 'transaction']
    ) }} as other_names_of_source,
    {{ cdc_other_names('map_keys(' ~ eventrow ~ ')', ['old', 'current']) }} as other_names_of_row,
    {{ cdc_other_names(cdc_member_names(data_document, '$[0]'), ['eventsource', 'eventrow']) }} as other_names_of_data,
    {{ cdc_json_members({
        '*attributes': cdc_without_braces('attributes'),
        '*other': cdc_members_named(cdc_json_document(event), '$[0]', 'other_attributes'),
        'eventsource': cdc_json_members({
            'cols': eventsource ~ "['cols']",
            'pkkey': eventsource ~ "['pkkey']",
            'transaction': eventsource ~ "['transaction']",
            '*other': cdc_members_named(data_document, '$[0].eventsource', 'other_names_of_source'),
        }),
        'eventrow': "nullif(" ~ cdc_json_members({
            'old': 'if(' ~ operation ~ " = 'insert', " ~ old_image ~ ', null)',
            'current': 'if(' ~ operation ~ " = 'delete', " ~ current_image ~ ', null)',
            '*other': cdc_members_named(data_document, '$[0].eventrow', 'other_names_of_row'),
        }) ~ ", '{}')",
        'data': "concat('{', " ~ cdc_members_named(data_document, '$[0]', 'other_names_of_data') ~ ", '}')",
    }) }} as metadata
{%- endmacro %}

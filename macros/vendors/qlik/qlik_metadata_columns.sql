{#- What a message says beside what has a column: `metadata`, a JSON object, and the columns that it is put together of. -#}
{% macro qlik_metadata_columns(texts, header, body, document, body_document, is_bare) -%}
    {%- set headers = [
        'operation', 'changeSequence', 'timestamp', 'streamPosition', 'transactionId', 'changeMask', 'columnMask',
        'externalSchemaId', 'transactionEventCounter', 'transactionLastEvent', 'schema', 'schemaName', 'table', 'tableName',
    ] -%}
    {%- set fields = ['data', 'beforeData', 'headers', 'schemaId', 'lineage', 'tableStructure', 'tableColumns'] -%}
    {%- set fields_of_envelope = ['magic', 'type', 'headers', 'messageSchemaId', 'messageSchema', 'message'] -%}
    to_json(named_struct(
        {%- for name, text in texts.items() %}
        '{{ name }}', {{ text }}{{ ',' if not loop.last }}
        {%- endfor %}
    )) as known_fields,
    if({{ body }}['headers'] is null, null, {{ cdc_other_names('map_keys(' ~ header ~ ')', headers) }}) as other_headers,
    filter(
        {{ cdc_other_names('map_keys(' ~ body ~ ')', fields) }},
        name -> if(startswith(name, 'headers_'), substring(name, 9), name) not in ('{{ headers | join("', '") }}')
    ) as other_fields,
    {{ cdc_other_names(
        'if(' ~ is_bare ~ ', other_fields, ' ~ cdc_member_names(document, '$[0]') ~ ')', fields_of_envelope
    ) }} as other_fields_of_envelope,
    {{ cdc_json_members({
        '*known': cdc_without_braces('known_fields'),
        'headers': "concat('{', " ~ cdc_members_named(body_document, '$.headers', 'other_headers') ~ ", '}')",
        'message': 'if(' ~ is_bare ~ ", null, concat('{', " ~ cdc_members_named(body_document, '$', 'other_fields') ~ ", '}'))",
        'envelope': "concat('{', " ~ cdc_members_named(document, '$[0]', 'other_fields_of_envelope') ~ ", '}')",
    }) }} as metadata
{%- endmacro %}

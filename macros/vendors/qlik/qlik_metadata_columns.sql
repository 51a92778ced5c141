{#- What a message says beside what has a column of its own, columns of a select list; `metadata`, a JSON object, is put together
    of the others: known fields, then the unknown ones of the headers, of the message and of its envelope, each under the name of
    their place.
    texts: {name: SQL expression of a known field}. header: SQL expression of the headers, map<string,string>; body: of the
    message; document: of the whole text as VARIANT at $[0]; body_document: of the message as VARIANT. is_bare: SQL condition,
    true without envelope. -#}
{% macro qlik_metadata_columns(texts, header, body, document, body_document, is_bare) -%}
    {%- set headers = [
        'operation', 'changeSequence', 'timestamp', 'streamPosition', 'transactionId', 'changeMask', 'columnMask',
        'externalSchemaId', 'transactionEventCounter', 'transactionLastEvent', 'schema', 'schemaName', 'table', 'tableName',
    ] -%}
    {%- set is_of_message = "(name in ('data', 'beforeData', 'headers', 'schemaId', 'lineage', 'tableStructure', 'tableColumns')"
        ~ " or if(startswith(name, 'headers_'), substring(name, 9), name) in ('" ~ headers | join("', '") ~ "'))" -%}
    {%- set is_of_envelope = "name in ('magic', 'type', 'headers', 'messageSchemaId', 'messageSchema', 'message')" -%}
    {%- set other_of_headers = cdc_other_members(body_document, '$.headers', headers, 'map_keys(' ~ header ~ ')') -%}
    {%- set other_of_message = cdc_other_members(body_document, '$', is_of_message, 'map_keys(' ~ body ~ ')') -%}
    {%- set other_of_envelope = cdc_other_members(
        document, '$[0]', is_of_envelope ~ ' or ' ~ is_bare ~ ' and ' ~ is_of_message, cdc_member_names(document, '$[0]')) -%}
    to_json(named_struct(
        {%- for name, text in texts.items() %}
        '{{ name }}', {{ text }}{{ ',' if not loop.last }}
        {%- endfor %}
    )) as known_fields,
    {{ cdc_json_members({
        '*known': cdc_without_braces('known_fields'),
        'headers': 'if(' ~ body ~ "['headers'] is null, null, concat('{', " ~ other_of_headers ~ ", '}'))",
        'message': 'if(' ~ is_bare ~ ", null, concat('{', " ~ other_of_message ~ ", '}'))",
        'envelope': "concat('{', " ~ other_of_envelope ~ ", '}')",
    }) }} as metadata
{%- endmacro %}

{#- What a message says beside what has a column of its own, as a JSON object: known fields, then the unknown fields of the headers,
    of the message and of its envelope, each under the name of their place.
    texts: {name: SQL expression of a known field}. header: SQL expression of the headers, map<string,string>; body: of the
    message; event: of the whole text; document: of the text as VARIANT at $[0]; body_document: of the
    message as VARIANT. is_bare: SQL condition, true without envelope. -#}
{% macro qlik_metadata(texts, header, body, event, document, body_document, is_bare) -%}
    {%- set headers = [
        'operation', 'changeSequence', 'timestamp', 'streamPosition', 'transactionId', 'changeMask', 'columnMask',
        'externalSchemaId', 'transactionEventCounter', 'transactionLastEvent', 'schema', 'schemaName', 'table', 'tableName',
    ] -%}
    {%- set message = ['data', 'beforeData', 'headers', 'schemaId', 'lineage', 'tableStructure', 'tableColumns'] + headers -%}
    {%- for name in headers -%} {%- do message.append('headers_' ~ name) -%} {%- endfor -%}
    {%- set envelope = ['magic', 'type', 'headers', 'messageSchemaId', 'messageSchema', 'message'] -%}
    {%- set known -%}
        to_json(named_struct(
            {%- for name, text in texts.items() %}
            '{{ name }}', {{ text }}{{ ',' if not loop.last }}
            {%- endfor %}
        ))
    {%- endset -%}
    {%- set other_of_headers = cdc_other_members(body_document, '$.headers', headers, 'map_keys(' ~ header ~ ')') -%}
    {%- set other_of_message = cdc_other_members(body_document, '$', message, 'map_keys(' ~ body ~ ')') -%}
    {%- set other_of_bare_message = cdc_other_members(document, '$[0]', envelope + message, 'map_keys(' ~ body ~ ')') -%}
    {%- set other_of_envelope = cdc_other_members(document, '$[0]', envelope, 'json_object_keys(' ~ event ~ ')') -%}
    {{ cdc_json_members({
        '*known': cdc_without_braces(known),
        'headers': 'if(' ~ body ~ "['headers'] is null, null, concat('{', " ~ other_of_headers ~ ", '}'))",
        'message': 'if(' ~ is_bare ~ ", null, concat('{', " ~ other_of_message ~ ", '}'))",
        'envelope': "concat('{', if(" ~ is_bare ~ ', ' ~ other_of_bare_message ~ ', ' ~ other_of_envelope ~ "), '}')",
    }) }}
{%- endmacro %}

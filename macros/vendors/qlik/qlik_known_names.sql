{#- Names of the fields that staging reads at one place of a message.
    place: envelope, headers, message (inside an envelope), or bare message. -#}
{% macro qlik_known_names(place) -%}
    {%- set headers = [
        'operation', 'changeSequence', 'timestamp', 'streamPosition', 'transactionId', 'changeMask', 'columnMask',
        'externalSchemaId', 'transactionEventCounter', 'transactionLastEvent', 'schema', 'schemaName', 'table', 'tableName',
    ] -%}
    {%- set envelope = ['magic', 'type', 'headers', 'messageSchemaId', 'messageSchema', 'message'] -%}
    {%- set message = ['data', 'beforeData', 'headers', 'schemaId', 'lineage', 'tableStructure', 'tableColumns'] + headers -%}
    {%- for name in headers -%}
        {%- do message.append('headers_' ~ name) -%}
    {%- endfor -%}
    {{ return({
        'envelope': envelope, 'headers': headers, 'message': message, 'bare message': envelope + message,
    }[place]) }}
{%- endmacro %}

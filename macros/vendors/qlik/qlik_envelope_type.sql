{#- The type that a data message is read into, with the envelope and without it. Everything is text: the row images come out
    as compact JSON text, a counter or a flag may be sent as a JSON value or as a string. -#}
{% macro qlik_envelope_type() -%}
    {%- set headers -%}
        struct<operation:string,changeSequence:string,timestamp:string,streamPosition:string,transactionId:string,
        {#- #}changeMask:string,columnMask:string,externalSchemaId:string,transactionEventCounter:string,
        {#- #}transactionLastEvent:string>
    {%- endset -%}
    {%- set body = 'data:string,beforeData:string,headers:' ~ headers -%}
    struct<messageSchemaId:string,{{ body }},message:struct<{{ body }}>>
{%- endmacro %}

{#- The headers of a message, a type for from_json. Every value is read as text. Source: "Metadata and data messages" of the vendor. -#}
{% macro qlik_header_type() -%}
    struct<
        operation: string,
        changeSequence: string,
        `timestamp`: string,
        streamPosition: string,
        transactionId: string,
        changeMask: string,
        columnMask: string,
        externalSchemaId: string,
        transactionEventCounter: string,
        transactionLastEvent: string,
        `schema`: string,
        schemaName: string,
        `table`: string,
        tableName: string
    >
{%- endmacro %}

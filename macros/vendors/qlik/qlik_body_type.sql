{#- What stands inside the envelope of a message, and is the whole message where there is none; a type for from_json. -#}
{% macro qlik_body_type() -%}
    struct<
        data: string,
        beforeData: string,
        headers: {{ qlik_header_type() }},
        schemaId: string,
        lineage: string,
        tableStructure: struct<tableColumns: string>,
        tableColumns: string,
        `schema`: string,
        schemaName: string,
        `table`: string,
        tableName: string
    >
{%- endmacro %}

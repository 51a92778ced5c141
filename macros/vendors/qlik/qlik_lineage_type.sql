{#- Where a metadata message came from, a type for from_json. Source: "Metadata and data messages" of the vendor. -#}
{% macro qlik_lineage_type() -%}
    struct<`schema`: string, `table`: string, tableVersion: string, `timestamp`: string>
{%- endmacro %}

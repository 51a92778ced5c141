{#- Identity of a change over all vendors. The lengths say where source and identity end: no content can imitate another identity. -#}
{% macro cdc_change_id() -%}
    {%- set text -%}
        concat_ws(
            ',',
            vendor,
            epoch,
            operation,
            octet_length(source),
            coalesce(octet_length(vendor_identity), -1),
            source,
            vendor_identity,
            content
        )
    {%- endset -%}
    {{ cdc_hash(text) }}
{%- endmacro %}

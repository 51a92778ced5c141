{#- The columns that a vendor's stg_<vendor>__changes may give. What each one means: docs/adding_a_vendor.md. -#}
{% macro cdc_staging_columns() -%}
    {%- set columns -%}
        source string
        landing_batch bigint
        topic string
        partition int
        offset bigint
        timestamp timestamp
        key string
        headers map<string,string>
        event_index int
        table_index int
        redecoded_event_id string
        event string
        status string
        reason string
        reason_detail string
        schema_scope string
        vendor_identity string
        content_sent string
        database_name string
        schema_name string
        table_name string
        operation string
        key_columns_sent array<string>
        key_values_sent array<string>
        key_values_before_sent array<string>
        before string
        after string
        before_image string
        after_image string
        changed_columns array<string>
    {%- endset -%}
    {{ return(cdc_parse_columns(columns) + cdc_table_life_columns() + cdc_passthrough_columns()) }}
{%- endmacro %}

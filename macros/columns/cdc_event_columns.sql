{#- The columns of the event store. -#}
{% macro cdc_event_columns() -%}
    {%- set columns -%}
        status string
        reason string
        reason_detail string
        event string
        schema_scope string
        table_index int
        message_timestamp timestamp
        message_key string
        headers map<string, string>
        is_delivery boolean
        first_delivery {{ cdc_delivery_type() }}
        deciding_delivery {{ cdc_delivery_type() }}
        replaces array<struct<load_number: bigint, event_number: bigint>>
        replaced_because string
    {%- endset -%}
    {{ return(cdc_changelog_columns() + cdc_internal_columns() + cdc_table_life_columns() + cdc_parse_columns(columns)) }}
{%- endmacro %}

{#- The columns of int_table_events, what happens to a table as a whole. -#}
{% macro cdc_table_event_columns() -%}
    {%- set columns -%}
        vendor string
        source string
        database_name string
        schema_name string
        table_name string
        kind string
        epoch int
        position string
        transport_order struct<has_no_topic: boolean, topic: string, `partition`: int, `offset`: bigint, event_index: int>
        change_id string
        happened_at timestamp
        transaction_id string
        ended_columns array<string>
        table_identity string
        named_before_by string
    {%- endset -%}
    {{ return(cdc_parse_columns(columns)) }}
{%- endmacro %}

{#- The columns of a change that pass from a vendor's staging to the changelog as they are. Add new vendor columns to this list. -#}
{% macro cdc_passthrough_columns() -%}
    {%- set columns -%}
        position string
        committed_at timestamp
        snapshot_at timestamp
        transaction_id string
        transaction_index bigint
        is_transaction_end boolean
        message_id string
        schema_id string
        metadata string
        warnings array<string>
    {%- endset -%}
    {{ return(cdc_parse_columns(columns)) }}
{%- endmacro %}

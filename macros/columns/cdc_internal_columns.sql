{#- The columns of a change that serve the next models alone: its row, its identity, and where the event store holds it. -#}
{% macro cdc_internal_columns() -%}
    {%- set columns -%}
        row_id string
        row_id_before string
        identity_hash bigint
        load_number bigint
        event_number bigint
    {%- endset -%}
    {{ return(cdc_parse_columns(columns)) }}
{%- endmacro %}

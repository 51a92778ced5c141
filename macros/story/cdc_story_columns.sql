{#- Columns and types of a table of the story, once for its live rows and its history.
    table_name: orders or customers. -#}
{% macro cdc_story_columns(table_name) -%}
    {%- set tables = {
        'orders': [
            {'name': 'id', 'type': 'bigint'},
            {'name': 'customer_id', 'type': 'bigint'},
            {'name': 'status', 'type': 'string'},
            {'name': 'total', 'type': 'decimal(38,9)'},
            {'name': 'ordered_at', 'type': 'timestamp'},
            {'name': 'is_paid', 'type': 'boolean'},
            {'name': 'comment', 'type': 'string'},
            {'name': 'deliver_on', 'type': 'date'},
        ],
        'customers': [
            {'name': 'id', 'type': 'bigint'},
            {'name': 'email', 'type': 'string'},
            {'name': 'full_name', 'type': 'string'},
            {'name': 'loyalty_points', 'type': 'bigint'},
            {'name': 'is_subscribed', 'type': 'boolean'},
            {'name': 'preferences', 'type': 'struct<theme:string,sizes:array<int>>'},
            {'name': 'last_seen_at', 'type': 'timestamp'},
        ],
    } -%}
    {%- if table_name not in tables -%}
        {{ exceptions.raise_compiler_error(
            "cdc_story_columns: no table '" ~ table_name ~ "'; expected one of "
            ~ tables.keys() | list) }}
    {%- endif -%}
    {{ return(tables[table_name]) }}
{%- endmacro %}

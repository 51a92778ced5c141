{#- The columns of cdc_row_states: names and types, in order. -#}
{% macro cdc_row_state_columns() -%}
    {{ return([
        {'name': 'row_id', 'type': 'string'},
        {'name': 'vendor', 'type': 'string'},
        {'name': 'source', 'type': 'string'},
        {'name': 'database_name', 'type': 'string'},
        {'name': 'schema_name', 'type': 'string'},
        {'name': 'table_name', 'type': 'string'},
        {'name': 'row_key', 'type': 'string'},
        {'name': 'version_number', 'type': 'int'},
        {'name': 'row', 'type': 'string'},
        {'name': 'valid_from', 'type': 'timestamp'},
        {'name': 'valid_to', 'type': 'timestamp'},
        {'name': 'valid_from_epoch', 'type': 'int'},
        {'name': 'valid_from_position', 'type': 'string'},
        {'name': 'valid_to_epoch', 'type': 'int'},
        {'name': 'valid_to_position', 'type': 'string'},
        {'name': 'is_current', 'type': 'boolean'},
        {'name': 'opened_by', 'type': 'string'},
        {'name': 'closed_by', 'type': 'string'},
        {'name': 'moved_from_row_key', 'type': 'string'},
        {'name': 'moved_to_row_key', 'type': 'string'},
        {'name': 'change_count', 'type': 'int'},
        {'name': 'change_id', 'type': 'string'},
        {'name': 'is_latest', 'type': 'boolean'},
        {'name': 'latest', 'type': 'struct<is_partial:boolean,operation:string,epoch:int,position:string,'
            ~ 'committed_at:timestamp,change_id:string,first_seen_at:timestamp,deleted_at:timestamp,version_count:int>'},
        {'name': 'record_hash', 'type': 'bigint'},
    ]) }}
{%- endmacro %}

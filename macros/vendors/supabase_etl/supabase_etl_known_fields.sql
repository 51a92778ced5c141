{#- The fields of events that have a place of their own, as an SQL array; any other goes to metadata. -#}
{% macro supabase_etl_known_fields() -%}
    array(
        'type', 'start_lsn', 'commit_lsn', 'tx_ordinal', 'timestamp', 'xid', 'flags', 'end_lsn', 'table_schema',
        'replicated_table_schema', 'table_id', 'table_row', 'updated_table_row', 'old_table_row', 'options', 'rel_ids',
        'truncated_tables', 'copied_at'
    )
{%- endmacro %}

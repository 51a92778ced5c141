{#- What an event says beside what has a column: `metadata`, a JSON object, and the columns that it is put together of. -#}
{% macro supabase_etl_metadata_columns(event, place, table_id, columns, schema_text, document) -%}
    {%- set fields = [
        'type', 'start_lsn', 'commit_lsn', 'tx_ordinal', 'timestamp', 'xid', 'flags', 'end_lsn', 'table_schema',
        'replicated_table_schema', 'table_id', 'table_row', 'updated_table_row', 'old_table_row', 'options', 'rel_ids',
        'truncated_tables', 'copied_at',
    ] -%}
    to_json(named_struct(
        'table_id', try_cast({{ table_id }} as bigint),
        'start_lsn', {{ cdc_postgres_lsn_text('substring(' ~ place ~ ', 18, 16)') }},
        'xid', try_cast({{ event }}.xid as bigint),
        'flags', try_cast({{ event }}.flags as int),
        'end_lsn', {{ cdc_postgres_lsn_text(cdc_postgres_lsn(event ~ '.end_lsn')) }},
        'options', try_cast({{ event }}.options as int),
        'cascade', try_cast({{ event }}.options as int) & 1 <> 0,
        'restart_identity', try_cast({{ event }}.options as int) & 2 <> 0,
        'snapshot_id', get_json_object({{ schema_text }}, '$.snapshot_id')
    )) as known_fields,
    {{ cdc_other_names(cdc_member_names(document, '$[0]'), fields) }} as other_names,
    {{ cdc_json_members({
        '*known': cdc_without_braces('known_fields'),
        'columns': columns,
        '*other': cdc_members_named(document, '$[0]', 'other_names'),
    }) }} as metadata
{%- endmacro %}

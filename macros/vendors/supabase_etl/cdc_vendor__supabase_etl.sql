{#- The spec of Supabase ETL: names, and what its events can carry. -#}
{% macro cdc_vendor__supabase_etl() -%}
    {#- A truncate of several tables is an event of each. -#}
    {%- set events_in_message -%}
        aggregate(
            coalesce(
                if(startswith(value, '['), from_json(value, 'array<string>'), null),
                from_json(value, 'events array<string>').events,
                array(value)
            ),
            0,
            (events, event) -> events + greatest(1, coalesce(
                json_array_length(get_json_object(event, '$.Truncate.rel_ids')),
                json_array_length(get_json_object(event, '$.Truncate.truncated_tables')),
                json_array_length(get_json_object(event, '$.rel_ids')),
                json_array_length(get_json_object(event, '$.truncated_tables')),
                1
            ))
        )
    {%- endset -%}
    {{ return({
        'name': 'supabase_etl',
        'label': 'Supabase ETL',
        'docs': 'docs/vendors/supabase_etl.md',
        'distinctive_fields': [['table_row'], ['table_schema'], ['start_lsn', 'commit_lsn'], ['Insert'], ['Update'], ['Delete'], ['Relation']],
        'changes_model': 'stg_supabase_etl__changes',
        'columns_model': 'stg_supabase_etl__table_columns',
        'schemas_model': 'stg_supabase_etl__schemas',
        'events_in_message': events_in_message,
        'identity_holds_content': true,
        'snapshot_order': 'epoch_start',
        'versions': 'event structs of December 2025 (commit e02f1756) and of July 2026 (commit cd49f6f8)',
        'transactions': 'commit',
        'settings': [],
        'carries': {
            'snapshot_rows': 'without a position',
            'truncate': true,
            'key_change': true,
            'before_image': 'depends',
            'partial_images': '2026',
            'transaction_id': true,
            'transaction_end': true,
            'transaction_order': '2026',
            'schema_messages': true,
            'ddl': false,
            'commit_time': 'from Begin and Commit',
            'key_names': true,
            'key_values': false,
            'position': true,
            'message_id': false,
        },
    }) }}
{%- endmacro %}

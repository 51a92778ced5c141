{#- The spec of Supabase ETL: names, and what its events can carry. -#}
{% macro cdc_vendor__supabase_etl() -%}
    {%- set lenient = "map('allowSingleQuotes', 'false', 'allowUnquotedControlChars', 'true')" -%}
    {%- set event = "regexp_replace(event, '[\\\\x00-\\\\x1f]', '')" -%}
    {#- A truncate of several tables is an event of each. -#}
    {%- set first_name = 'try_element_at(json_object_keys(' ~ event ~ '), 1)' -%}
    {%- set truncate -%}
        case
            when size(json_object_keys({{ event }})) = 1 and lower({{ first_name }}) = 'truncate'
                then get_json_object({{ event }}, concat('$.', {{ first_name }}))
            when lower(get_json_object({{ event }}, '$.type')) = 'truncate' then {{ event }}
        end
    {%- endset -%}
    {%- set events_in_message -%}
        aggregate(
            coalesce(
                if(
                    startswith(value, '['),
                    from_json(concat('{"events":', value, '}'), 'events array<string>', {{ lenient }}).events, null
                ),
                from_json(value, 'events array<string>', {{ lenient }}).events,
                array(value)
            ),
            0,
            (events, event) -> events + if(
                json_array_length(concat('[', {{ truncate }}, ']')) = 1,
                greatest(1, coalesce(json_array_length(coalesce(
                    get_json_object({{ truncate }}, '$.truncated_tables'), get_json_object({{ truncate }}, '$.rel_ids')
                )), 1)),
                1
            )
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
        'segments_model': none,
        'events_in_message': events_in_message,
        'identity_holds_content': true,
        'snapshot_order': 'epoch_start',
        'versions': 'event structs of December 2025 (commit e02f1756) and of July 2026 (commit cd49f6f8)',
        'transactions': 'commit',
        'settings': [],
        'capabilities': {
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

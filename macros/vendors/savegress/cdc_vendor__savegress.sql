{#- The spec of Savegress: names, and what its messages can carry. -#}
{% macro cdc_vendor__savegress() -%}
    {%- set lenient = "map('allowSingleQuotes', 'false', 'allowUnquotedControlChars', 'true')" -%}
    {%- set events_in_message -%}
        case
            when startswith(value, '[')
                then size(from_json(concat('{"events":', value, '}'), 'events array<string>', {{ lenient }}).events)
            when get_json_object(value, '$.operation') is null and get_json_object(value, '$.type') is null
                then size(from_json(value, 'events array<string>', {{ lenient }}).events)
            else 1
        end
    {%- endset -%}
    {{ return({
        'name': 'savegress',
        'label': 'Savegress',
        'docs': 'docs/vendors/savegress.md',
        'distinctive_fields': [['batch_id', 'events'], ['operation', 'before', 'after'], ['operation', 'table']],
        'changes_model': 'stg_savegress__changes',
        'columns_model': none,
        'schemas_model': none,
        'segments_model': none,
        'events_in_message': events_in_message,
        'identity_holds_content': false,
        'snapshot_order': 'time',
        'versions': 'documentation of January 2025 (connector_version 1.0.0); no public capture',
        'transactions': 'commit',
        'settings': ['cdc_savegress_signed_sources'],
        'capabilities': {
            'snapshot_rows': true,
            'truncate': true,
            'key_change': 'where the before image holds the key',
            'key_change_default_identity': true,
            'before_image': 'depends',
            'partial_images': true,
            'image_completeness': false,
            'transaction_id': true,
            'transaction_end': 'COMMIT markers, if preserve_transactions is on',
            'transaction_order': false,
            'schema_messages': false,
            'ddl': true,
            'commit_time': true,
            'key_names': false,
            'key_values': 'Kafka only',
            'position': true,
            'message_id': true,
        },
    }) }}
{%- endmacro %}

{#- The spec of Sequin: names, and what its messages can carry. -#}
{% macro cdc_vendor__sequin() -%}
    {%- set events_in_message -%}
        if(get_json_object(value, '$.action') is null, json_array_length(get_json_object(value, '$.data')), 1)
    {%- endset -%}
    {{ return({
        'name': 'sequin',
        'label': 'Sequin',
        'docs': 'docs/vendors/sequin.md',
        'changes_model': 'stg_sequin__changes',
        'columns_model': none,
        'events_in_message': events_in_message,
        'snapshot_placement': 'time',
        'versions': 'messages of April 2025 (without commit_idx) to February 2026 (with record_pks, enrichment)',
        'transactions': 'next',
        'settings': [],
        'carries': {
            'snapshot_rows': true,
            'truncate': false,
            'key_change': 'under full replica identity',
            'key_change_default_identity': false,
            'before_image': 'changed',
            'partial_images': true,
            'transaction_id': false,
            'transaction_end': false,
            'transaction_order': true,
            'schema_messages': false,
            'ddl': false,
            'commit_time': true,
            'key_names': false,
            'key_values': 'since June 2025 (record_pks)',
            'position': true,
            'message_id': true,
        },
    }) }}
{%- endmacro %}

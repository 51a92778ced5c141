{#- The spec of Sequin: names, and what its messages can carry. -#}
{% macro cdc_vendor__sequin() -%}
    {{ return({
        'name': 'sequin',
        'label': 'Sequin',
        'docs': 'docs/vendors/sequin.md',
        'changes_model': 'stg_sequin__changes',
        'columns_model': none,
        'snapshot_placement': 'time',
        'values': 'typed',
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

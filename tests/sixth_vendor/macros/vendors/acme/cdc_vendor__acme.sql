{% macro cdc_vendor__acme() -%}
    {{ return({
        'name': 'acme',
        'label': 'Acme',
        'docs': 'docs/vendors/acme.md',
        'changes_model': 'stg_acme__changes',
        'snapshot_placement': 'time',
        'values': 'typed',
        'versions': 'made up',
        'settings': [],
        'carries': {
            'snapshot_rows': true,
            'truncate': true,
            'key_change': true,
            'before_image': 'depends',
            'partial_images': true,
            'transaction_id': true,
            'transaction_end': false,
            'transaction_order': true,
            'schema_messages': false,
            'ddl': false,
            'commit_time': true,
            'key_names': true,
            'key_values': false,
            'position': true,
            'message_id': true,
        },
    }) }}
{%- endmacro %}

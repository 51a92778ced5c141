{#- The spec of Qlik Replicate: names, and what its messages can carry. -#}
{% macro cdc_vendor__qlik() -%}
    {{ return({
        'name': 'qlik',
        'label': 'Qlik Replicate',
        'docs': 'docs/vendors/qlik.md',
        'changes_model': 'stg_qlik__changes',
        'columns_model': 'stg_qlik__table_columns',
        'events_in_message': none,
        'snapshot_placement': 'epoch_start',
        'versions': 'Kafka and Event Hubs targets, JSON with and without the envelope "atMSG"; captures of 2019 to 2023, help pages of 2026',
        'transactions': 'counted',
        'settings': ['cdc_qlik_table_columns', 'cdc_qlik_mask_byte_order', 'cdc_qlik_ordinals_from_json_order'],
        'carries': {
            'snapshot_rows': 'without a position',
            'truncate': false,
            'key_change': 'where the before image is sent',
            'before_image': 'depends',
            'partial_images': true,
            'transaction_id': true,
            'transaction_end': true,
            'transaction_order': true,
            'schema_messages': true,
            'ddl': false,
            'commit_time': true,
            'key_names': 'metadata messages',
            'key_values': false,
            'position': true,
            'message_id': true,
        },
    }) }}
{%- endmacro %}

{#- The spec of SQL Server's Change Event Streaming: names, and what its messages can carry. -#}
{% macro cdc_vendor__sqlserver_ces() -%}
    {{ return({
        'name': 'sqlserver_ces',
        'label': 'SQL Server CES',
        'docs': 'docs/vendors/sqlserver_ces.md',
        'changes_model': 'stg_sqlserver_ces__changes',
        'columns_model': 'stg_sqlserver_ces__table_columns',
        'events_in_message': none,
        'snapshot_placement': 'epoch_start',
        'versions': 'com.microsoft.SQL.CES.DML.V1: previews of March 2025 (splitindex) to August 2026 (segmentindex)',
        'transactions': 'next',
        'settings': ['cdc_sources_with_full_images'],
        'carries': {
            'snapshot_rows': false,
            'truncate': false,
            'key_change': true,
            'key_change_default_identity': true,
            'before_image': 'depends',
            'partial_images': true,
            'image_completeness': 'by configuration',
            'transaction_id': true,
            'transaction_end': false,
            'transaction_order': true,
            'schema_messages': false,
            'ddl': false,
            'commit_time': true,
            'key_names': true,
            'key_values': true,
            'position': true,
            'message_id': true,
        },
    }) }}
{%- endmacro %}

{#- The spec of Supabase ETL: names, and what its events can carry. -#}
{% macro cdc_vendor__supabase_etl() -%}
    {{ return({
        'name': 'supabase_etl',
        'label': 'Supabase ETL',
        'docs': 'docs/vendors/supabase_etl.md',
        'changes_model': 'stg_supabase_etl__changes',
        'columns_model': 'stg_supabase_etl__table_columns',
        'snapshot_placement': 'epoch_start',
        'values': 'typed',
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

{{ cdc_changelog.cdc_typed_table(
    table_name='orders',
    sources=['shop'],
    columns=[
        {'name': 'id', 'type': 'bigint'},
        {'name': 'status', 'type': 'string'},
        {'name': 'total', 'type': 'decimal(12,2)'},
        {'name': 'is_gift', 'type': 'boolean'},
    ],
) }}

{{ cdc_changelog.cdc_typed_table(
    table_name='orders',
    sources=['shop'],
    columns=[
        {'name': 'id', 'type': 'bigint'},
        {'name': 'status', 'type': 'string'},
    ],
    history=true,
) }}

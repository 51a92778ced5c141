{{ cdc_typed_table(
    table_name='orders',
    sources=['story'],
    columns=cdc_story_columns('orders'),
) }}

{{ cdc_typed_table(
    table_name='customers',
    sources=['story'],
    columns=cdc_story_columns('customers'),
) }}

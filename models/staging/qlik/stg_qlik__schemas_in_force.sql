-- The schema messages in the form that rows look them up in: by their id, and by the table they describe.
with schemas as (
    select
        source, schema_id, schema_name, table_name, table_version, produced_at, columns, content_hash,
        max(load_number) as load_number
    from {{ ref('stg_qlik__schemas') }}
    group by source, schema_id, schema_name, table_name, table_version, produced_at, columns, content_hash
),

schemas_described as (
    select
        source,
        explode(
            array_compact(
                array(
                    {{ qlik_schema_key('schema_id') }},
                    {{ qlik_schema_key('null', 'schema_name', 'table_name') }}
                )
            )
        ) as schema_key,
        named_struct(
            'newest_by', struct(
                coalesce(table_version, -1),
                coalesce(produced_at, timestamp '0001-01-01 00:00:00'),
                coalesce(schema_id, ''),
                content_hash
            ),
            'produced_at', produced_at,
            'schema_id', schema_id,
            'schema_name', schema_name,
            'table_name', table_name,
            'column_names', transform(
                sequence(1, array_max(columns.ordinal)),
                ordinal -> try_element_at(filter(columns, column -> column.ordinal = ordinal), 1).name
            ),
            'key_columns', transform(
                array_sort(
                    transform(
                        filter(columns, column -> column.key_position > 0),
                        column -> struct(column.key_position, column.ordinal, column.name)
                    )
                ),
                key_column -> key_column.name
            )
        ) as table_schema
    from schemas
),

newest_first as (
    select
        source,
        schema_key,
        reverse(array_sort(collect_list(table_schema))) as table_schemas
    from schemas_described
    group by source, schema_key
)

select * from newest_first

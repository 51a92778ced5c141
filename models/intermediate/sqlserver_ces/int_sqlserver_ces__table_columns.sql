-- Every change brings its table schema; one change of each list is parsed once more.
with lists as (
    select
        source,
        database_name,
        schema_name,
        table_name,
        schema_id,
        min(get_json_object(metadata, '$.eventsource.cols')) as listed,
        max(key_columns) as key_columns
    from {{ ref('int_changes') }}
    where vendor = 'sqlserver_ces' and schema_id is not null
    group by source, database_name, schema_name, table_name, schema_id
)

select
    source,
    database_name,
    schema_name,
    table_name,
    schema_id,
    schema_id as content_hash,
    cast(null as string) as declaration_order,
    transform(
        from_json(listed, 'array<struct<name:string,type:string,index:int>>'),
        table_column -> named_struct(
            'name', table_column.name,
            'type', table_column.type,
            'ordinal', try_add(table_column.index, 1),
            'key_position', nullif(cast(array_position(key_columns, table_column.name) as int), 0),
            'length', try_cast(
                nullif(regexp_extract(table_column.type, '^n?(?:var)?(?:char|binary)[(]([0-9]+)[)]$', 1), '') as bigint
            ),
            'precision', try_cast(
                nullif(regexp_extract(table_column.type, '^(?:decimal|numeric)[(]([0-9]+)', 1), '') as int
            ),
            'scale', try_cast(
                nullif(regexp_extract(table_column.type, '^(?:decimal|numeric)[(][0-9]+, ?([0-9]+)', 1), '') as int
            ),
            'nullable', cast(null as boolean)
        )
    ) as columns
from lists

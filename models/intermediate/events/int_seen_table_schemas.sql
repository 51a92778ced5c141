{%- set vendors_without_schemas = cdc_vendors() | rejectattr('columns_model') | map(attribute='name') | list %}

-- Whole images of vendors whose messages carry no table schema: the columns of a row are then those of its table.
with whole_images as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        epoch,
        position,
        committed_at,
        from_json(after, 'map<string,variant>') as fields
    from {{ ref('int_changes') }}
    where
        vendor in ({{ cdc_sql_list(vendors_without_schemas) }})
        and after is not null
        and (operation in ('insert', 'snapshot') or (operation = 'update' and after_image = 'full'))
),

-- Each with the names of its columns, in a fixed order, and the JSON type of each value.
images_with_types as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        epoch,
        position,
        committed_at,
        array_sort(map_keys(fields)) as names,
        transform(array_sort(map_keys(fields)), name -> {{ cdc_json_type('fields[name]') }}) as types
    from whole_images
),

-- One row per table and list of names, with every combination of types that was seen.
lists as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        names,
        collect_set(types) as seen_types,
        min(struct(epoch, position)) as first_use,
        max(struct(epoch, position)) as last_use,
        min(committed_at) as first_committed_at
    from images_with_types
    group by vendor, source, database_name, schema_name, table_name, names
)

select
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    concat('seen/', left(sha2(to_json(names), 256), 16)) as schema_id,
    transform(
        names,
        (name, index) -> named_struct(
            'name', name,
            'type', nullif(array_join(array_sort(array_distinct(array_compact(
                transform(seen_types, types -> types[index])
            ))), '|'), ''),
            'ordinal', cast(null as int),
            'key_position', cast(null as int),
            'length', cast(null as bigint),
            'precision', cast(null as int),
            'scale', cast(null as int),
            'nullable', cast(null as boolean)
        )
    ) as columns,
    first_use,
    last_use,
    first_committed_at
from lists

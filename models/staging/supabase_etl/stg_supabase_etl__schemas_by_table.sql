-- A schema that says what the one before it said changes nothing and is left out.
with schemas as (
    select
        source,
        table_id,
        position,
        schema_name,
        table_name,
        columns,
        schema_id,
        declared_as,
        load_number
    from {{ ref('stg_supabase_etl__schemas') }}
    where position is not null
),

compared as (
    select
        *,
        lag(schema_id) over (
            partition by source, table_id
            order by position asc nulls first, schema_id asc nulls first, declared_as asc nulls first
        ) as schema_id_before
    from schemas
),

changes_of_schemas as (
    select
        source,
        table_id,
        {{ supabase_etl_schema_of('compared') }} as table_schema
    from compared
    where schema_id is distinct from schema_id_before
),

grouped as (
    select
        source,
        table_id,
        array_sort(collect_list(table_schema)) as schemas
    from changes_of_schemas
    group by source, table_id
)

select * from grouped

{%- set never_apart -%}
    'bool', 'char', 'int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'date', 'time', 'timetz', 'timestamp',
    'timestamptz', 'uuid', 'interval', 'money', 'boolean', 'smallint', 'integer', 'bigint', 'real',
    'double precision', 'timestamp without time zone', 'timestamp with time zone'
{%- endset -%}
-- Every declaration of a table schema, in the form that rows look it up in.
with schemas_described as (
    select
        source,
        table_id,
        declared_as,
        position,
        schema_id,
        schema_name,
        table_name,
        columns.name as column_names,
        transform(
            array_sort(transform(
                filter(columns, known -> known.key_position is not null),
                known -> struct(known.key_position, known.ordinal, known.name)
            )),
            known -> known.name
        ) as key_columns,
        -- PostgreSQL may store a value of such a column out of line, and not send it again.
        transform(
            columns, known -> not coalesce(lower(known.type) in ({{ never_apart }}), false)
        ) as may_be_stored_apart,
        to_json({{ supabase_etl_sent_columns('columns') }}) as columns_declared
    from {{ ref('stg_supabase_etl__schemas') }}
),

-- Every declaration that has a place, beside the one before it.
compared as (
    select
        *,
        lag(schema_id) over (
            partition by source, table_id
            order by position asc, schema_id asc, declared_as asc
        ) as schema_id_before
    from schemas_described
    where position is not null
),

-- The table schemas from place to place: one that says what the one before it said changes nothing and is left out.
intervals as (
    select
        *,
        row_number() over (
            partition by source, table_id
            order by position asc, schema_id asc, declared_as asc
        ) = 1 as is_first,
        lead(position) over (
            partition by source, table_id
            order by position asc, schema_id asc, declared_as asc
        ) as next_position
    from compared
    where schema_id is distinct from schema_id_before
),

-- A schema that rides on an event is found by its text.
schemas_of_texts as (
    select
        source,
        declared_as,
        min(struct(
            position,
            schema_id,
            table_id,
            schema_name,
            table_name,
            column_names,
            key_columns,
            may_be_stored_apart
        )) as table_schema,
        min(columns_declared) as columns_declared
    from schemas_described
    group by source, declared_as
)

select
    source,
    table_id as schema_key,
    is_first,
    -- The first schema counts for all that shares its LSNs, in front of it too.
    if(is_first, left(position, 34), position) as valid_from,
    coalesce(next_position, '~') as valid_to,
    position,
    schema_id,
    table_id,
    schema_name,
    table_name,
    column_names,
    key_columns,
    may_be_stored_apart,
    cast(null as string) as columns_declared
from intervals
union all
select
    source,
    declared_as as schema_key,
    true as is_first,
    '' as valid_from,
    '~' as valid_to,
    table_schema.position,
    table_schema.schema_id,
    table_schema.table_id,
    table_schema.schema_name,
    table_schema.table_name,
    table_schema.column_names,
    table_schema.key_columns,
    table_schema.may_be_stored_apart,
    columns_declared
from schemas_of_texts

{%- set never_toasted_types -%}
    'bool', 'char', 'int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'date', 'time', 'timetz', 'timestamp',
    'timestamptz', 'uuid', 'interval', 'money', 'boolean', 'smallint', 'integer', 'bigint', 'real',
    'double precision', 'timestamp without time zone', 'timestamp with time zone'
{%- endset -%}
-- Every declaration of a table schema, in the form that rows look it up in.
with schemas_described as (
    select
        source,
        table_id,
        schema_text_md5,
        position,
        schema_id,
        schema_name,
        table_name,
        columns.name as column_names,
        transform(
            array_sort(transform(
                filter(columns, table_column -> table_column.key_position is not null),
                table_column -> struct(table_column.key_position, table_column.ordinal, table_column.name)
            )),
            table_column -> table_column.name
        ) as key_columns,
        -- PostgreSQL may store a value of such a column out of line, and not send it again.
        transform(
            columns, table_column -> not coalesce(lower(table_column.type) in ({{ never_toasted_types }}), false)
        ) as may_be_toasted,
        to_json({{ supabase_etl_sent_columns('columns') }}) as columns_declared
    from {{ ref('stg_supabase_etl__schemas') }}
),

-- Every declaration that has a place, beside the one before it.
compared as (
    select
        *,
        lag(schema_id) over (
            partition by source, table_id
            order by position asc, schema_id asc, schema_text_md5 asc
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
            order by position asc, schema_id asc, schema_text_md5 asc
        ) = 1 as is_first,
        lead(position) over (
            partition by source, table_id
            order by position asc, schema_id asc, schema_text_md5 asc
        ) as next_position
    from compared
    where schema_id is distinct from schema_id_before
),

-- A schema that rides on an event is found by its text.
schemas_of_texts as (
    select
        source,
        schema_text_md5,
        min(struct(
            position,
            schema_id,
            table_id,
            schema_name,
            table_name,
            column_names,
            key_columns,
            may_be_toasted
        )) as table_schema,
        min(columns_declared) as columns_declared
    from schemas_described
    group by source, schema_text_md5
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
    may_be_toasted,
    cast(null as string) as columns_declared
from intervals
union all
select
    source,
    schema_text_md5 as schema_key,
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
    table_schema.may_be_toasted,
    columns_declared
from schemas_of_texts

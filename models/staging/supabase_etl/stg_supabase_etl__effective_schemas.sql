{%- set never_apart -%}
    'bool', 'char', 'int2', 'int4', 'int8', 'oid', 'float4', 'float8', 'date', 'time', 'timetz', 'timestamp',
    'timestamptz', 'uuid', 'interval', 'money', 'boolean', 'smallint', 'integer', 'bigint', 'real',
    'double precision', 'timestamp without time zone', 'timestamp with time zone'
{%- endset -%}
-- The table schemas in the form that rows look them up in: by their table, and by the text that an event carries.
with schemas_described as (
    select
        source,
        table_id,
        declared_as,
        to_json({{ supabase_etl_sent_columns('columns') }}) as columns_declared,
        named_struct(
            'position', position,
            'schema_id', schema_id,
            'table_id', table_id,
            'schema_name', schema_name,
            'table_name', table_name,
            'names', columns.name,
            'key_columns', transform(
                array_sort(transform(
                    filter(columns, known -> known.key_position is not null),
                    known -> struct(known.key_position, known.ordinal, known.name)
                )),
                known -> known.name
            ),
            -- PostgreSQL may store a value of such a column out of line, and not send it again.
            'may_be_stored_apart', transform(
                columns, known -> not coalesce(lower(known.type) in ({{ never_apart }}), false)
            )
        ) as table_schema
    from {{ ref('stg_supabase_etl__schemas') }}
),

compared as (
    select
        *,
        lag(table_schema.schema_id) over (
            partition by source, table_id
            order by table_schema.position asc, table_schema.schema_id asc, declared_as asc
        ) as schema_id_before
    from schemas_described
    where table_schema.position is not null
),

-- A schema that says what the one before it said changes nothing and is left out.
schemas_of_tables as (
    select
        source,
        table_id as schema_key,
        array_sort(collect_list(table_schema)) as table_schemas,
        cast(null as string) as columns_declared
    from compared
    where table_schema.schema_id is distinct from schema_id_before
    group by source, table_id
),

schemas_of_texts as (
    select
        source,
        declared_as as schema_key,
        array(min(table_schema)) as table_schemas,
        min(columns_declared) as columns_declared
    from schemas_described
    group by source, declared_as
)

select * from schemas_of_tables
union all
select * from schemas_of_texts

-- The same column list declared at several places is one.
with schemas as (
    select
        source,
        schema_name,
        table_name,
        schema_id,
        columns,
        min(position) as first_declared_at
    from {{ ref('stg_supabase_etl__schemas') }}
    group by source, schema_name, table_name, schema_id, columns
),

final as (
    select
        source,
        cast(null as string) as database_name,
        schema_name,
        table_name,
        schema_id,
        schema_id as content_hash,
        first_declared_at as declared_order,
        transform(
            columns,
            known -> named_struct(
                'name', known.name,
                'type', known.type,
                'ordinal', known.ordinal,
                'key_position', known.key_position,
                'length', cast(null as bigint),
                'precision', case when known.type = 'numeric' then (known.modifier - 4) div 65536 end,
                'scale', case when known.type = 'numeric' then (known.modifier - 4) % 65536 end,
                'nullable', known.nullable
            )
        ) as columns
    from schemas
)

select * from final

-- The same table schema declared at several places is one.
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
)

select
    source,
    cast(null as string) as database_name,
    schema_name,
    table_name,
    schema_id,
    schema_id as content_hash,
    first_declared_at as declaration_order,
    {{ supabase_etl_sent_columns('columns', with_modifier=false) }} as columns
from schemas

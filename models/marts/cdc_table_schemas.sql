{%- set sent_columns = cdc_parse_columns(
    'vendor string; source string; database_name string; schema_name string; table_name string; schema_id string;'
    ~ 'content_hash string; declaration_order string;'
    ~ 'columns array<struct<name:string,type:string,ordinal:int,key_position:int,length:bigint,precision:int,'
    ~ 'scale:int,nullable:boolean>>'
) %}

-- The table schemas of all vendors whose messages carry any.
with schema_messages as (
    {%- for spec in cdc_vendors() if spec.columns_model %}
    select
        '{{ spec.name }}' as vendor,
        source,
        database_name,
        schema_name,
        table_name,
        schema_id,
        content_hash,
        declaration_order,
        columns
    from {{ ref(spec.columns_model) }}
    union all
    {%- endfor %}
    select * from {{ cdc_no_rows(sent_columns) }} as nothing
),

-- The same schema sent again with a new timestamp is one schema.
declarations as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        schema_id,
        columns,
        min(content_hash) as content_hash,
        min(declaration_order) as declaration_order
    from schema_messages
    group by vendor, source, database_name, schema_name, table_name, schema_id, columns
),

-- Where a table schema was effective, as far as changes say so.
used as (
    select
        vendor,
        source,
        schema_name,
        table_name,
        schema_id,
        min(struct(epoch, position)) as first_use,
        max(struct(epoch, position)) as last_use,
        min(committed_at) as first_committed_at
    from {{ ref('cdc_changelog') }}
    where schema_id is not null and position is not null
    group by vendor, source, schema_name, table_name, schema_id
),

-- Every table schema with where it was effective. Of vendors whose messages carry none, the columns that whole images
-- had.
declared_and_used as (
    select
        declarations.*,
        used.first_use,
        used.last_use,
        used.first_committed_at,
        'messages' as columns_from
    from declarations
    left join used
        on
            declarations.vendor = used.vendor
            and declarations.source = used.source
            and declarations.schema_name <=> used.schema_name
            and declarations.table_name <=> used.table_name
            and declarations.schema_id = used.schema_id
    union all
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        schema_id,
        columns,
        schema_id as content_hash,
        cast(null as string) as declaration_order,
        first_use,
        last_use,
        first_committed_at,
        'values' as columns_from
    from {{ ref('int_seen_table_schemas') }}
),

-- The same with the columns of the one before it.
with_columns_before as (
    select
        *,
        lag(columns) over (
            partition by vendor, source, database_name, schema_name, table_name
            order by
                declaration_order asc nulls first,
                first_use asc nulls first,
                content_hash asc
        ) as columns_before
    from declared_and_used
)

select
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    schema_id,
    columns,
    first_use.epoch as first_epoch,
    first_use.position as first_position,
    last_use.epoch as last_epoch,
    last_use.position as last_position,
    first_committed_at,
    array_sort(array_except(columns.name, columns_before.name)) as columns_added,
    array_sort(array_except(columns_before.name, columns.name)) as columns_removed,
    array_sort(transform(
        filter(
            columns,
            table_column -> exists(
                columns_before,
                earlier -> earlier.name = table_column.name and not (earlier <=> table_column)
            )
        ),
        table_column -> table_column.name
    )) as columns_changed,
    columns_from
from with_columns_before

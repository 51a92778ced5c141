{%- set columns_of_table = ['vendor', 'source', 'database_name', 'schema_name', 'table_name', 'schema_id'] %}
{%- set sent_columns = cdc_parse_columns((columns_of_table + ['content_hash', 'declared_order']) | join(' string; ')
    ~ ' string; columns array<struct<name:string,type:string,ordinal:int,key_position:int,length:bigint,precision:int,'
    ~ 'scale:int,nullable:boolean>>') %}

-- The table schemas of all vendors whose messages carry any.
with sent as (
    {%- for spec in cdc_vendors() if spec.columns_model %}
    select
        '{{ spec.name }}' as vendor,
        {{ cdc_quoted_columns(sent_columns[1:]) }}
    from {{ ref(spec.columns_model) }}
    union all
    {%- endfor %}
    select * from {{ cdc_no_rows(sent_columns) }} as nothing
),

-- The same schema sent again with a new timestamp is one schema.
declared as (
    select
        {{ columns_of_table | join(', ') }},
        columns,
        min(content_hash) as content_hash,
        min(declared_order) as declared_order
    from sent
    group by {{ columns_of_table | join(', ') }}, columns
),

-- Where a table schema was effective, as far as changes say so.
used as (
    select
        vendor, source, schema_name, table_name, schema_id,
        min(struct(epoch, position)) as first_use,
        max(struct(epoch, position)) as last_use,
        min(committed_at) as first_committed_at
    from {{ ref('cdc_changelog') }}
    where schema_id is not null and position is not null
    group by vendor, source, schema_name, table_name, schema_id
),

-- Every table schema with where it was effective, and with the columns of the one before it.
declared_and_used as (
    select
        declared.*,
        used.first_use, used.last_use, used.first_committed_at,
        lag(declared.columns) over (
            partition by
                declared.vendor, declared.source, declared.database_name, declared.schema_name, declared.table_name
            order by
                declared.declared_order asc nulls first, used.first_use asc nulls first,
                declared.content_hash asc
        ) as columns_before
    from declared
    left join used
        on
            declared.vendor = used.vendor
            and declared.source = used.source
            and declared.schema_name <=> used.schema_name
            and declared.table_name <=> used.table_name
            and declared.schema_id = used.schema_id
)

select
    {{ columns_of_table | join(', ') }},
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
            known -> exists(
                columns_before,
                earlier -> earlier.name = known.name and not (earlier <=> known)
            )
        ),
        known -> known.name
    )) as columns_changed
from declared_and_used

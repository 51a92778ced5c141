{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}
{%- set earlier_columns = [
    {'name': 'source', 'type': 'string'}, {'name': 'position', 'type': 'string'},
    {'name': 'declared_as', 'type': 'string'},
] %}

with new_elements as (
    select
        source,
        landing_batch,
        repeats_no_key,
        element_text
    from {{ ref('stg_supabase_etl__elements') }}
    where
        contains(value, '"column_schemas"')
        and fault is null
        and contains(element_text, '"column_schemas"')
),

new_events as (
    {{ supabase_etl_events('new_elements') | indent(4) }}
),

-- An explode of one, so that the conditions below stay behind it: Spark would move them in front of the parse, and
-- parse again for each mention of what they look at. The same for `schemas_read`.
new_declarations as (
    select
        new_events.source,
        new_events.landing_batch,
        new_events.repeats_no_key,
        new_events.element_text,
        told.variant,
        told.tag,
        told.commit_lsn_sent,
        told.start_lsn_sent,
        told.tx_ordinal_sent,
        told.schema_texts
    from new_events
        lateral view outer explode(array(named_struct(
            'variant', variant,
            'tag', tag,
            'commit_lsn_sent', {{ supabase_etl_unguarded("event['commit_lsn']") }},
            'start_lsn_sent', {{ supabase_etl_unguarded("event['start_lsn']") }},
            'tx_ordinal_sent', {{ supabase_etl_unguarded("event['tx_ordinal']") }},
            'schema_texts', case
                when variant = 'truncate'
                    then filter(
                        from_json(event['truncated_tables'], 'array<string>'),
                        truncated -> contains(truncated, '"column_schemas"')
                    )
                else array(coalesce(event['table_schema'], event['replicated_table_schema']))
            end
        ))) exploded as told
),

declarations_placed as (
    select
        source,
        landing_batch,
        variant,
        schema_text,
        case
            when variant <> 'copy'
                then concat(
                    {{ cdc_postgres_lsn('commit_lsn_sent') }}, '/',
                    {{ cdc_postgres_lsn('start_lsn_sent') }}, '/',
                    coalesce({{ supabase_etl_ordinal('tx_ordinal_sent') }}, '')
                )
        end as position
    from new_declarations
        -- Without `outer` Spark asks first whether there is one, before the parse, and parses again for each mention.
        lateral view outer explode(schema_texts) taken as schema_text
    where not {{ supabase_etl_has_repeats('repeats_no_key', [
        'element_text', supabase_etl_event_text('element_text', 'tag'), 'schema_text',
    ]) }}
),

-- A Relation counts at its own place. A schema that rides on every event would be a row per event: of those only the
-- first and the last place of a landing batch are kept, which depends on nothing but that batch.
places_found as (
    select
        source,
        landing_batch,
        schema_text,
        case when variant = 'relation' then position end as relation_position,
        min(position) as first_position,
        max(position) as last_position
    from declarations_placed
    where schema_text is not null and (variant = 'copy' or position is not null)
    group by source, landing_batch, schema_text, case when variant = 'relation' then position end
),

schemas_read as (
    select
        places_found.source,
        places_found.schema_text,
        placed.position,
        parsed.table_schema
    from places_found
        lateral view outer explode(array(from_json(
            schema_text,
            'id string, name struct<`schema`:string,name:string>, '
            || 'column_schemas array<struct<name:string,typ:string,modifier:string,nullable:boolean,`primary`:boolean,'
            || 'primary_key_ordinal_position:int>>'
        ))) parsed as table_schema
        lateral view explode(array_distinct(array(first_position, last_position))) placed as position
),

columns_numbered as (
    select
        source,
        position,
        md5(schema_text) as declared_as,
        table_schema.id as table_id,
        table_schema.name.`schema` as schema_name,
        table_schema.name.name as table_name,
        transform(
            table_schema.column_schemas,
            (column_schema, place) -> named_struct(
                'name', column_schema.name,
                'type', column_schema.typ,
                'modifier', try_cast(column_schema.modifier as int),
                'ordinal', place + 1,
                'key_position', case
                    when column_schema.primary_key_ordinal_position > 0
                        then column_schema.primary_key_ordinal_position
                    when column_schema.`primary`
                        then size(
                            filter(
                                slice(table_schema.column_schemas, 1, place + 1),
                                earlier_column -> coalesce(earlier_column.`primary`, false)
                            )
                        )
                end,
                'nullable', column_schema.nullable
            )
        ) as columns
    from schemas_read
),

schemas_of_this_run as (
    select
        source,
        table_id,
        position,
        schema_name,
        table_name,
        columns,
        declared_as,
        sha2(to_json(named_struct('schema', schema_name, 'table', table_name, 'columns', columns)), 256) as schema_id,
        row_number() over (
            partition by source, position, declared_as
            order by table_id asc nulls last, schema_name asc nulls last, table_name asc nulls last
        ) as repetition
    from columns_numbered
    where
        table_id rlike '^[0-9]+$'
        and table_name is not null
        and columns is not null
        and not exists(columns, known -> known.name is null)
        and size(array_distinct(columns.name)) = size(columns)
),

this_run as (
    select max(load_number) as load_number from {{ ref('int_landing_batches') }}
),

new_schemas as (
    select
        schemas_of_this_run.source,
        schemas_of_this_run.table_id,
        schemas_of_this_run.position,
        schemas_of_this_run.schema_name,
        schemas_of_this_run.table_name,
        schemas_of_this_run.columns,
        schemas_of_this_run.schema_id,
        schemas_of_this_run.declared_as,
        -- One without a position is of its own row alone.
        case
            when schemas_of_this_run.position is not null then array(schemas_of_this_run.table_id)
        end as schema_scopes,
        this_run.load_number
    from schemas_of_this_run
    left anti join {{ cdc_earlier(this.schema, this.identifier, earlier_columns) }} as known
        on
            schemas_of_this_run.source <=> known.source
            and schemas_of_this_run.position <=> known.position
            and schemas_of_this_run.declared_as = known.declared_as
    cross join this_run
    where schemas_of_this_run.repetition = 1
)

select * from new_schemas

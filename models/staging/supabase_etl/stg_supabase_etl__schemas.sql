{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}

-- Every new event that may carry a table schema, parsed once.
with parsed as (
    select
        source,
        landing_batch,
        wrapped_as,
        envelope_reason,
        from_json(
            concat('[', event_text, ',null]'),
            'array<struct<
                `type`: string,
                start_lsn: string,
                commit_lsn: string,
                tx_ordinal: string,
                table_schema: string,
                replicated_table_schema: string,
                truncated_tables: array<string>
            >>',
            {{ cdc_strict_json() }}
        ) as messages
    from {{ ref('stg_supabase_etl__events') }}
    where contains(value, '"column_schemas"') and contains(event, '"column_schemas"')
),

-- Every such event with its place, and with the schema where the event can be read.
declarations as (
    select
        source,
        landing_batch,
        get(messages, 0) as message,
        coalesce(wrapped_as, lower(message.`type`)) as event_name,
        case
            when event_name <> 'copy'
                then {{ supabase_etl_position('message.commit_lsn', 'message.start_lsn', 'message.tx_ordinal') }}
        end as position,
        case
            when envelope_reason is null and size(messages) = 2 and (event_name = 'copy' or position is not null)
                then coalesce(message.table_schema, message.replicated_table_schema, get(message.truncated_tables, 0))
        end as schema_text
    from parsed
),

-- A Relation counts at its own place. A schema that rides on every event would be a row per event: of those only the
-- first and the last place of a landing batch are kept, which depends on nothing but that batch.
places as (
    select
        source,
        landing_batch,
        schema_text,
        min(position) as first_position,
        max(position) as last_position
    from declarations
    group by source, landing_batch, schema_text, if(event_name = 'relation', position, null)
    -- Not as `where`: Spark would put that before the parse, and parse again for each mention.
    having count(schema_text) > 0
),

-- Every schema text, parsed, at each place that is kept of it.
schemas_read as (
    select
        source,
        md5(schema_text) as schema_text_md5,
        explode(array_distinct(array(first_position, last_position))) as position,
        from_json(
            schema_text,
            'id string, name struct<`schema`:string,name:string>, column_schemas array<struct<name:string,typ:string,'
            || 'modifier:string,nullable:boolean,`primary`:boolean,primary_key_ordinal_position:int>>'
        ) as parsed_schema
    from places
),

-- Every schema with its columns in canonical form.
schemas_described as (
    select
        source,
        schema_text_md5,
        position,
        parsed_schema.id as table_id,
        parsed_schema.name.`schema` as schema_name,
        parsed_schema.name.name as table_name,
        transform(
            parsed_schema.column_schemas,
            (column_schema, index) -> named_struct(
                'name', column_schema.name,
                'type', column_schema.typ,
                'modifier', try_cast(column_schema.modifier as int),
                'ordinal', index + 1,
                'key_position', case
                    when column_schema.primary_key_ordinal_position > 0 then column_schema.primary_key_ordinal_position
                    when column_schema.`primary`
                        then size(filter(
                            slice(parsed_schema.column_schemas, 1, index + 1),
                            earlier -> earlier.`primary`
                        ))
                end,
                'nullable', column_schema.nullable
            )
        ) as columns
    from schemas_read
),

-- Every schema with its id, and whether it can be used: each column has a name of its own.
schemas_of_this_run as (
    select
        *,
        sha2(to_json(named_struct('schema', schema_name, 'table', table_name, 'columns', columns)), 256) as schema_id,
        table_id rlike '^[0-9]+$'
        and table_name is not null
        and not exists(columns, table_column -> table_column.name is null)
        and size(array_distinct(columns.name)) = size(columns) as is_usable,
        -- Equal texts say the same, so any of them will do.
        row_number() over (partition by source, position, schema_text_md5 order by schema_text_md5 asc) as repetition
    from schemas_described
),

-- The number of this load.
this_run as (
    select max(load_number) as load_number from {{ ref('run_landing_batches') }}
)

select
    schemas_of_this_run.* except (is_usable, repetition),
    -- One without a position is of its own row alone.
    if(schemas_of_this_run.position is null, null, array(schemas_of_this_run.table_id)) as schema_scopes,
    this_run.load_number
from schemas_of_this_run
cross join this_run
{%- if is_incremental() %}
left anti join {{ this }} as stored
    on
        schemas_of_this_run.source <=> stored.source
        and schemas_of_this_run.position <=> stored.position
        and schemas_of_this_run.schema_text_md5 = stored.schema_text_md5
{%- endif %}
where schemas_of_this_run.is_usable and schemas_of_this_run.repetition = 1

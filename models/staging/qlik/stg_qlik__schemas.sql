{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}

-- Every new raw message that may hold a schema message. It is found by its text, so that data messages, which are
-- nearly all, are not parsed for this.
with bodies as (
    select
        source,
        {{ cdc_json_body('value') }} as body
    from {{ cdc_new_messages('qlik') }} as new_messages
    where contains(value, '"tableColumns"')
),

-- Every event of them. A message that is a list of messages is taken apart, as in stg_qlik__events.
events as (
    select
        source,
        explode({{ cdc_json_list_items('body') }}) as event
    from bodies
),

-- Every event, parsed like in stg_qlik__fields.
parsed as (
    select
        source,
        from_json(
            concat('[', event, ',null]'),
            'array<struct<messageSchemaId: string, message: {{ qlik_body_type() }}>>',
            {{ cdc_strict_json() }}
        ) as messages,
        get(messages, 0) as envelope,
        case
            when size(messages) = 2 and endswith(event, '}')
                then coalesce(envelope.message, from_json(event, '{{ qlik_body_type() }}', {{ cdc_strict_json() }}))
        end as body,
        from_json(body.lineage, '{{ qlik_lineage_type() }}') as origin
    from events
),

-- Every event that describes a table, its fields under plain names.
schema_messages as (
    select
        source,
        nullif(coalesce(body.`schemaId`, envelope.`messageSchemaId`), '') as schema_id,
        nullif(coalesce(origin.`schema`, body.`schema`, body.`schemaName`), '') as schema_name,
        nullif(coalesce(origin.`table`, body.`table`, body.`tableName`), '') as table_name,
        try_cast(origin.`tableVersion` as bigint) as table_version,
        {{ cdc_utc_timestamp('origin.`timestamp`') }} as produced_at,
        body.lineage as lineage,
        {{ qlik_schema_columns('coalesce(body.`tableStructure`.`tableColumns`, body.`tableColumns`)') }} as columns
    from parsed
),

-- Every schema message of this run once, however often it was sent.
declared_in_this_run as (
    select distinct
        source,
        schema_id,
        schema_name,
        table_name,
        table_version,
        produced_at,
        columns,
        sha2(
            to_json(array(
                schema_id,
                schema_name,
                table_name,
                string(table_version),
                string(produced_at),
                lineage,
                to_json(columns)
            )),
            256
        ) as content_hash
    from schema_messages
    where table_name is not null and columns is not null
),

-- The number of this load.
this_run as (
    select max(load_number) as load_number from {{ ref('run_landing_batches') }}
)

select
    declared_in_this_run.*,
    -- What rows look a schema up by: its id, or its table. It counts wherever a row lies.
    array_compact(array(
        concat('id ', declared_in_this_run.schema_id),
        {{ qlik_table_key('declared_in_this_run.schema_name', 'declared_in_this_run.table_name') }}
    )) as schema_scopes,
    cast(null as string) as position,
    this_run.load_number
from declared_in_this_run
cross join this_run
{%- if is_incremental() %}
left anti join {{ this }} as stored
    on
        declared_in_this_run.source <=> stored.source
        and declared_in_this_run.content_hash = stored.content_hash
{%- endif %}

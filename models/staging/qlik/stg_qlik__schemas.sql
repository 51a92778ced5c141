{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}
{%- set earlier_columns = [{'name': 'source', 'type': 'string'}, {'name': 'content_hash', 'type': 'string'}] %}

-- A metadata message is found by its text, so that the data messages, which are nearly all, are not parsed for this.
-- The explode of one body keeps the conditions further down away from the scan.
with bodies as (
    select
        new_messages.source,
        taken.body
    from {{ cdc_new_messages('qlik') }} as new_messages
        lateral view explode(array({{ cdc_body('new_messages.value') }})) taken as body
    where contains(new_messages.value, '"tableColumns"')
),

taken_apart as (
    select
        source,
        body,
        from_json(body, 'map<string,string>') as top_fields
    from bodies
    where {{ cdc_is_json('body') }}
),

with_own_fields as (
    select
        source,
        body,
        top_fields,
        case
            when top_fields['message'] is not null then from_json(top_fields['message'], 'map<string,string>')
            else top_fields
        end as body_fields
    from taken_apart
),

schema_messages as (
    select
        source,
        {{ qlik_schema_message('body_fields', 'top_fields') }} as schema_message
    from with_own_fields
    where
        {{ qlik_is_schema_message('body_fields', 'top_fields') }}
        and not {{ cdc_has_duplicate_keys(
            'body', ['body', "top_fields['message']"] + qlik_schema_message_objects('body_fields')
        ) }}
),

schemas_of_this_run as (
    select distinct
        source,
        schema_message.schema_id,
        schema_message.schema_name,
        schema_message.table_name,
        schema_message.table_version,
        schema_message.produced_at,
        schema_message.columns,
        sha2(to_json(schema_message), 256) as content_hash
    from schema_messages
    where {{ qlik_schema_message_fault('schema_message') }} is null
),

this_run as (
    select max(load_number) as load_number from {{ ref('int_landing_batches') }}
),

new_schemas as (
    select
        schemas_of_this_run.*,
        -- What rows look a schema up by: its id, or its table. It counts wherever a row lies.
        array_compact(array(
            {{ qlik_schema_key('schemas_of_this_run.schema_id') }},
            {{ qlik_schema_key('null', 'schemas_of_this_run.schema_name', 'schemas_of_this_run.table_name') }}
        )) as schema_scopes,
        cast(null as string) as position,
        this_run.load_number
    from schemas_of_this_run
    cross join this_run
    left anti join {{ cdc_earlier(this.schema, this.identifier, earlier_columns) }} as known
        on
            schemas_of_this_run.source <=> known.source
            and schemas_of_this_run.content_hash = known.content_hash
)

select * from new_schemas

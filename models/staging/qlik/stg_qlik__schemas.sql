{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}

-- A metadata message is found by its text, so that data messages, which are nearly all, are not parsed for this.
with bodies as (
    select
        source,
        {{ cdc_json_body('value') }} as body
    from {{ cdc_new_messages('qlik') }} as new_messages
    where contains(value, '"tableColumns"')
),

-- A message that is a list of messages is taken apart, as in stg_qlik__events.
messages as (
    select
        source,
        explode({{ cdc_json_list_items('body') }}) as event
    from bodies
),

parsed as (
    select
        source,
        event,
        from_json(event, '`messageSchemaId` string, message map<string,string>') as envelope,
        if(envelope.message is null, from_json(event, 'map<string,string>'), envelope.message) as body,
        from_json(body['lineage'], 'map<string,string>') as lineage
    from messages
),

metadata_messages as (
    select
        source,
        {{ qlik_schema_message('body', 'lineage', 'envelope.`messageSchemaId`') }} as declared
    from parsed
    where {{ cdc_json_problem('event', qlik_objects()) }} is null
),

declared_in_this_run as (
    select distinct
        source,
        declared.schema_id,
        declared.schema_name,
        declared.table_name,
        declared.table_version,
        declared.produced_at,
        declared.columns,
        sha2(to_json(declared), 256) as content_hash
    from metadata_messages
    where declared.table_name is not null and declared.columns is not null
),

this_run as (
    select max(load_number) as load_number from {{ ref('int_landing_batches') }}
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
left anti join {{ this }} as known
    on
        declared_in_this_run.source <=> known.source
        and declared_in_this_run.content_hash = known.content_hash
{%- endif %}

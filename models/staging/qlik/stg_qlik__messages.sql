{%- set logged_columns = [
    {'name': 'vendor', 'type': 'string'}, {'name': 'reread_element', 'type': 'string'},
    {'name': 'topic', 'type': 'string'}, {'name': 'partition', 'type': 'int'}, {'name': 'offset', 'type': 'bigint'},
    {'name': 'source', 'type': 'string'}, {'name': 'landing_batch', 'type': 'bigint'},
    {'name': 'event_index', 'type': 'int'}, {'name': 'schema_id', 'type': 'string'},
    {'name': 'schema_name', 'type': 'string'}, {'name': 'table_name', 'type': 'string'},
] %}

with new_messages as (
    select
        new_messages.value,
        new_messages.`key`,
        new_messages.headers,
        new_messages.topic,
        new_messages.`partition`,
        new_messages.`offset`,
        new_messages.`timestamp`,
        new_messages.source,
        new_messages.landing_batch,
        coalesce(new_messages.event_index, 0) as event_index,
        new_messages.origin
    from {{ cdc_new_messages('qlik') }} as new_messages
),

schemas_of_this_run as (
    select
        schemas.source,
        schemas.schema_id,
        schemas.schema_name,
        schemas.table_name
    from {{ ref('stg_qlik__schemas') }} as schemas
    where schemas.load_number in (select batches.load_number from {{ ref('cdc_run_batches') }} as batches)
),

-- Changes of earlier runs whose reading depends on which schema messages have landed, of tables that got a new one now.
read_again as (
    select
        logged.reread_element as value,
        cast(null as string) as `key`,
        cast(null as map<string, string>) as headers,
        logged.topic,
        logged.`partition`,
        logged.`offset`,
        cast(null as timestamp) as `timestamp`,
        logged.source,
        logged.landing_batch,
        logged.event_index,
        'again' as origin
    from {{ cdc_earlier(var('cdc_schema', 'cdc'), 'cdc_changelog', logged_columns) }} as logged
    left semi join schemas_of_this_run
        on
            logged.source = schemas_of_this_run.source
            and (
                logged.schema_id = schemas_of_this_run.schema_id
                or (
                    logged.schema_name = schemas_of_this_run.schema_name
                    and logged.table_name = schemas_of_this_run.table_name
                )
            )
    where logged.vendor = 'qlik' and logged.reread_element is not null
),

messages as (
    select * from new_messages
    union all
    select * from read_again
)

select * from messages

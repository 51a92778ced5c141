{%- set changelog_columns = [
    {'name': 'vendor', 'type': 'string'}, {'name': 'source', 'type': 'string'},
    {'name': 'landing_batch', 'type': 'bigint'}, {'name': 'topic', 'type': 'string'},
    {'name': 'partition', 'type': 'int'}, {'name': 'offset', 'type': 'bigint'}, {'name': 'event_index', 'type': 'int'},
    {'name': 'position', 'type': 'string'}, {'name': 'schema_id', 'type': 'string'},
    {'name': 'reread_element', 'type': 'string'},
    {'name': 'load_number', 'type': 'bigint'}, {'name': 'event_number', 'type': 'bigint'},
] %}
{%- set brings_schemas = 'supabase_etl' in cdc_run_facts().active_vendors and cdc_run_finds(
    'select 1 from ' ~ ref('stg_supabase_etl__schemas')
    ~ ' where load_number > (select coalesce(max(last_load_number), 0) from ' ~ ref('int_landing_batches') ~ ')'
) %}
{%- set logged_earlier = cdc_earlier(
    var('cdc_schema', 'cdc'), 'cdc_changelog' if brings_schemas else none, changelog_columns
) %}

with last_finished as (
    select coalesce(max(last_load_number), 0) as load_number from {{ ref('int_landing_batches') }}
),

-- Tables that got a schema since the last finished run, in nearly all runs none: then nothing of the changelog is read.
tables_with_new_schemas as (
    select
        by_table.source,
        by_table.table_id,
        by_table.schemas,
        left(
            array_min(
                transform(
                    filter(by_table.schemas, known -> known.load_number > last_finished.load_number),
                    known -> known.position
                )
            ),
            16
        ) as first_commit_lsn,
        by_table.schemas[0].load_number > last_finished.load_number as is_first_new
    from {{ ref('stg_supabase_etl__schemas_by_table') }} as by_table
    cross join last_finished
    where exists(by_table.schemas, known -> known.load_number > last_finished.load_number)
),

sources_with_new_schemas as (
    select
        source,
        min(first_commit_lsn) as first_commit_lsn,
        max(is_first_new) as is_first_new
    from tables_with_new_schemas
    group by source
),

changes_that_lie_after as (
    select
        earlier.source,
        earlier.landing_batch,
        earlier.topic,
        earlier.`partition`,
        earlier.`offset`,
        earlier.event_index,
        struct(earlier.load_number, earlier.event_number) as stored_event,
        earlier.schema_id,
        {{ cdc_guard_numbers('earlier.reread_element') }} as element_text
    from {{ logged_earlier }} as earlier
    inner join sources_with_new_schemas on earlier.source = sources_with_new_schemas.source
    where
        earlier.vendor = 'supabase_etl'
        and earlier.reread_element is not null
        and (
            earlier.position >= sources_with_new_schemas.first_commit_lsn
            or (earlier.position is null and sources_with_new_schemas.is_first_new)
        )
),

changes_named as (
    {{ supabase_etl_events('changes_that_lie_after') | indent(4) }}
),

changes_placed as (
    select
        *,
        coalesce(
            event['table_id'],
            try_element_at(from_json(coalesce(event['truncated_tables'], event['rel_ids']), 'array<string>'), 1)
        ) as table_id,
        {{ cdc_unguarded("event['commit_lsn']") }} as commit_lsn_sent,
        {{ cdc_unguarded("event['start_lsn']") }} as start_lsn_sent,
        {{ cdc_unguarded("event['tx_ordinal']") }} as tx_ordinal_sent
    from changes_named
),

changes_to_read_again as (
    select changes_placed.*
    from changes_placed
    inner join tables_with_new_schemas
        on
            changes_placed.source = tables_with_new_schemas.source
            and changes_placed.table_id = tables_with_new_schemas.table_id
    where
        {{ supabase_etl_schema_in_force(
            'tables_with_new_schemas.schemas',
            cdc_postgres_lsn('changes_placed.commit_lsn_sent'),
            cdc_postgres_lsn('changes_placed.start_lsn_sent'),
            supabase_etl_ordinal('changes_placed.tx_ordinal_sent')
        ) }}.schema_id is distinct from changes_placed.schema_id
),

messages as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        `key`,
        headers,
        event_index,
        stored_event,
        fault,
        repeats_no_key,
        element_text
    from {{ ref('stg_supabase_etl__elements') }}
    union all
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        cast(null as timestamp) as `timestamp`,
        cast(null as string) as `key`,
        cast(null as map<string, string>) as headers,
        event_index,
        stored_event,
        cast(null as string) as fault,
        true as repeats_no_key,
        element_text
    from changes_to_read_again
)

select * from messages

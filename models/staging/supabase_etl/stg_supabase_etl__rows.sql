with messages as (
    select
        source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers,
        event_index, origin, fault, repeats_no_key, element_text, tag, variant, event
    from {{ ref('stg_supabase_etl__messages') }}
),

schemas_by_table as (
    select source, table_id, schemas from {{ ref('stg_supabase_etl__schemas_by_table') }}
),

-- A schema that an event carries itself is found by its text: it need not be parsed again for each event.
schemas_by_text as (
    select
        source,
        declared_as,
        min({{ supabase_etl_schema_of('schemas') }}) as table_schema
    from {{ ref('stg_supabase_etl__schemas') }} as schemas
    group by source, declared_as
),

transactions as (
    select
        source,
        commit_lsn,
        max(committed_at) as committed_at
    from {{ ref('stg_supabase_etl__transactions') }}
    group by source, commit_lsn
),

fields_named as (
    select
        source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers,
        event_index, origin, fault, repeats_no_key, element_text, tag, variant,
        event is not null as is_object,
        event['type'] as type_sent,
        {{ supabase_etl_number("event['commit_lsn']") }} as commit_lsn_sent,
        {{ supabase_etl_number("event['start_lsn']") }} as start_lsn_sent,
        {{ supabase_etl_number("event['end_lsn']") }} as end_lsn_sent,
        {{ supabase_etl_number("event['tx_ordinal']") }} as tx_ordinal_sent,
        {{ supabase_etl_number("event['timestamp']") }} as timestamp_sent,
        event['copied_at'] as copied_at_sent,
        event['xid'] as xid_sent,
        event['flags'] as flags_sent,
        event['options'] as options_sent,
        event['table_id'] as event_table_id,
        event['updated_table_row'] is not null as is_updated_row,
        coalesce(event['updated_table_row'], event['table_row']) as new_sent,
        event['old_table_row'] as old_sent,
        coalesce(event['table_schema'], event['replicated_table_schema']) as event_schema,
        coalesce(event['truncated_tables'], event['rel_ids']) as truncated_sent,
        size(array_except(map_keys(event), {{ supabase_etl_known_fields() }})) > 0 as has_extra_fields
    from messages
),

-- One row per element, but of a truncate one per table.
tables_named as (
    select
        fields_named.*,
        taken.truncated,
        case
            when startswith(truncated, '{') then get_json_object(truncated, '$.id')
            else coalesce(truncated, event_table_id)
        end as table_id_sent,
        case when startswith(truncated, '{') then truncated else event_schema end as schema_sent
    from fields_named
    lateral view outer explode(
        case when variant = 'truncate' then from_json(truncated_sent, 'array<string>') end
    ) taken as truncated
),

rows_recognised as (
    select
        *,
        {{ cdc_postgres_lsn('commit_lsn_sent') }} as commit_lsn,
        {{ cdc_postgres_lsn('start_lsn_sent') }} as start_lsn,
        {{ supabase_etl_ordinal('tx_ordinal_sent') }} as ordinal,
        {{ supabase_etl_wrapper('new_sent') }} as new_wrapper,
        case
            when old_sent rlike '^\\[true,[\\[{]' then 'padded'
            when old_sent rlike '^\\[false,[\\[{]' then 'full'
            else {{ supabase_etl_wrapper('old_sent') }}
        end as old_wrapper
    from tables_named
),

rows_unwrapped as (
    select
        *,
        {{ supabase_etl_unwrapped('new_sent', 'new_wrapper') }} as new_row,
        case
            when startswith(old_sent, '[') and old_wrapper = 'padded' then substring(old_sent, 7, length(old_sent) - 7)
            when startswith(old_sent, '[') and old_wrapper = 'full' then substring(old_sent, 8, length(old_sent) - 8)
            else {{ supabase_etl_unwrapped('old_sent', 'old_wrapper') }}
        end as old_row
    from rows_recognised
),

partial_rows_opened as (
    select
        *,
        case
            when new_wrapper = 'partial'
                then from_json(new_row, 'total_columns int, `values` string, missing_column_indexes array<int>')
        end as partial_row
    from rows_unwrapped
),

cells_found as (
    select
        source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers,
        event_index, origin, fault, element_text, tag, variant, is_object, type_sent,
        commit_lsn_sent, start_lsn_sent, end_lsn_sent, tx_ordinal_sent, timestamp_sent, copied_at_sent,
        xid_sent, flags_sent, options_sent, is_updated_row, truncated_sent, truncated, table_id_sent, has_extra_fields,
        commit_lsn, start_lsn, ordinal, new_wrapper, old_wrapper, partial_row,
        new_sent is not null as has_new_row,
        old_sent is not null as has_old_row,
        md5(schema_sent) as declared_as,
        schema_sent is not null as has_schema,
        case when contains(schema_sent, '"snapshot_id"') then get_json_object(schema_sent, '$.snapshot_id') end
            as snapshot_id,
        case when new_wrapper = 'partial' then partial_row.`values` else {{ supabase_etl_cells('new_row') }} end
            as new_cells,
        {{ supabase_etl_cells('old_row') }} as old_cells,
        {{ supabase_etl_has_repeats('repeats_no_key', [
            'element_text', supabase_etl_event_text('element_text', 'tag'), 'schema_sent', 'new_sent', 'new_row', 'old_sent',
            'old_row', supabase_etl_cells('new_row'), supabase_etl_cells('old_row'), 'partial_row.`values`',
        ]) }} as has_repeats
    from partial_rows_opened
),

cells_taken_apart as (
    select
        *,
        case when startswith(new_cells, '[') then {{ supabase_etl_tokens('new_cells') }} end as new_tokens,
        case
            when startswith(old_cells, '[') or (startswith(old_cells, '{') and old_wrapper = 'padded')
                then {{ supabase_etl_tokens('old_cells') }}
        end as old_tokens
    from cells_found
),

schemas_found as (
    select
        cells_taken_apart.*,
        schemas_by_text.table_schema is not null as has_own_schema,
        coalesce(
            schemas_by_text.table_schema,
            {{ supabase_etl_schema_in_force(
                'schemas_by_table.schemas', 'cells_taken_apart.commit_lsn', 'cells_taken_apart.start_lsn',
                'cells_taken_apart.ordinal'
            ) }}
        ) as table_schema,
        transactions.commit_lsn is not null as is_transaction_seen,
        transactions.committed_at as transaction_committed_at
    from cells_taken_apart
    left join schemas_by_text
        on
            cells_taken_apart.source = schemas_by_text.source
            and cells_taken_apart.declared_as = schemas_by_text.declared_as
    left join schemas_by_table
        on
            cells_taken_apart.source = schemas_by_table.source
            and cells_taken_apart.table_id_sent = schemas_by_table.table_id
    left join transactions
        on
            cells_taken_apart.source = transactions.source
            and cells_taken_apart.commit_lsn = transactions.commit_lsn
),

-- Which columns a key-only row tells: those that the schema flags. Under a full replica identity all are flagged, and a
-- custom writer may flag none: then the configured key says it.
identities_known as (
    select
        schemas_found.*,
        case
            when old_wrapper in ('padded', 'key')
                then array_intersect(
                    table_schema.names,
                    case
                        when size(table_schema.key_columns) between 1 and size(table_schema.names) - 1
                            then table_schema.key_columns
                        else coalesce(
                            {{ cdc_table_setting(
                                'key_columns', 'schemas_found.source', 'schemas_found.table_schema.schema_name'
                            ) }},
                            table_schema.key_columns
                        )
                    end
                )
        end as identity_columns
    from schemas_found
    {{ cdc_table_settings_join("'supabase_etl'", 'schemas_found.table_schema.table_name') }}
)

select * from identities_known

with messages as (
    select
        source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers,
        event_index, origin, fault, repeats_no_key, element_text, variant, event_text, event
    from {{ ref('stg_supabase_etl__messages') }}
),

schemas_by_table as (
    select source, table_id, schemas from {{ ref('stg_supabase_etl__schemas_by_table') }}
),

-- A schema that an event carries itself, found by its text: it need not be parsed again for each event.
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
        *,
        {{ supabase_etl_number("event['commit_lsn']") }} as commit_lsn_sent,
        {{ supabase_etl_number("event['start_lsn']") }} as start_lsn_sent,
        {{ supabase_etl_number("event['tx_ordinal']") }} as tx_ordinal_sent,
        {{ supabase_etl_number("event['timestamp']") }} as timestamp_sent,
        coalesce(event['updated_table_row'], event['table_row']) as new_sent,
        event['old_table_row'] as old_sent,
        case
            when variant = 'truncate'
                then from_json(coalesce(event['truncated_tables'], event['rel_ids']), 'array<string>')
        end as tables_truncated
    from messages
),

-- One row per element, but of a truncate one per table.
tables_named as (
    select
        fields_named.*,
        taken.truncated,
        case
            when truncated like '{%' then get_json_object(truncated, '$.id')
            when truncated is not null then truncated
            else event['table_id']
        end as table_id_sent,
        case
            when truncated like '{%' then truncated
            else coalesce(event['table_schema'], event['replicated_table_schema'])
        end as schema_sent
    from fields_named
    lateral view outer explode(tables_truncated) taken as truncated
),

places_read as (
    select
        *,
        {{ cdc_postgres_lsn('commit_lsn_sent') }} as commit_lsn,
        {{ cdc_postgres_lsn('start_lsn_sent') }} as start_lsn,
        {{ supabase_etl_ordinal('tx_ordinal_sent') }} as ordinal,
        case when variant in ('begin', 'commit') then {{ supabase_etl_time('timestamp_sent') }} end as marked_at,
        case when variant = 'copy' then {{ cdc_utc_timestamp("event['copied_at']") }} end as copied_at,
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
            when old_wrapper = 'padded' then substring(old_sent, 7, length(old_sent) - 7)
            when startswith(old_sent, '[false,') then substring(old_sent, 8, length(old_sent) - 8)
            else {{ supabase_etl_unwrapped('old_sent', 'old_wrapper') }}
        end as old_row
    from places_read
),

partial_rows_opened as (
    select
        *,
        case
            when new_wrapper = 'partial'
                then from_json(
                    new_row, 'total_columns int, `values` string, missing_column_indexes array<int>'
                )
        end as partial_row
    from rows_unwrapped
),

cells_found as (
    select
        *,
        case
            when new_wrapper = 'partial' then partial_row.`values`
            else {{ supabase_etl_cells('new_row') }}
        end as new_cells,
        {{ supabase_etl_cells('old_row') }} as old_cells
    from partial_rows_opened
),

schemas_found as (
    select
        cells_found.*,
        schemas_by_text.table_schema is not null as has_own_schema,
        coalesce(
            schemas_by_text.table_schema,
            {{ supabase_etl_schema_in_force(
                'schemas_by_table.schemas', 'cells_found.commit_lsn', 'cells_found.start_lsn', 'cells_found.ordinal'
            ) }}
        ) as table_schema,
        transactions.commit_lsn is not null as is_transaction_seen,
        transactions.committed_at as transaction_committed_at,
        {{ supabase_etl_without_transactions('cells_found.source') }} as is_without_transactions
    from cells_found
    left join schemas_by_text
        on cells_found.source = schemas_by_text.source and md5(cells_found.schema_sent) = schemas_by_text.declared_as
    left join schemas_by_table
        on cells_found.source = schemas_by_table.source and cells_found.table_id_sent = schemas_by_table.table_id
    left join transactions
        on cells_found.source = transactions.source and cells_found.commit_lsn = transactions.commit_lsn
),

-- Which columns a key-only row tells: those that the schema flags. Under a full replica identity all are flagged, and a
-- custom writer may flag none: then the configured key says it.
identities_known as (
    select
        schemas_found.*,
        case
            when old_wrapper in ('padded', 'key')
                then filter(
                    table_schema.names,
                    name -> array_contains(
                        case
                            when size(table_schema.key_columns) between 1 and size(table_schema.names) - 1
                                then table_schema.key_columns
                            else coalesce(
                                {{ cdc_table_setting(
                                    'key_columns', 'schemas_found.source', 'schemas_found.table_schema.schema_name'
                                ) }},
                                table_schema.key_columns
                            )
                        end,
                        name
                    )
                )
        end as identity_columns,
        case when startswith(new_cells, '[') then {{ supabase_etl_tokens('new_cells') }} end as new_tokens_seen,
        case
            when startswith(old_cells, '[') or old_wrapper = 'padded' then {{ supabase_etl_tokens('old_cells') }}
        end as old_tokens_seen
    from schemas_found
    {{ cdc_table_settings_join("'supabase_etl'", 'schemas_found.table_schema.table_name') }}
),

cells_read as (
    select
        *,
        case
            when new_tokens_seen is not null then {{ supabase_etl_tokens_or_variants('new_cells', 'new_tokens_seen') }}
        end as new_tokens,
        case
            when old_tokens_seen is not null then {{ supabase_etl_tokens_or_variants('old_cells', 'old_tokens_seen') }}
        end as old_tokens,
        filter(
            table_schema.prefixes, (prefix, place) -> array_contains(identity_columns, table_schema.names[place])
        ) as identity_prefixes,
        case when startswith(new_cells, '{') then json_object_keys(new_cells) end as new_names,
        case when startswith(old_cells, '{') then json_object_keys(old_cells) end as old_names
    from identities_known
),

widths_compared as (
    select
        *,
        case
            when new_cells is null then true
            when new_names is not null then size(array_except(new_names, table_schema.names)) = 0
            when new_wrapper = 'partial' then partial_row.total_columns = size(table_schema.names)
            else size(new_tokens) = size(table_schema.names)
        end as new_fits,
        case
            when old_cells is null then true
            when old_names is not null then size(array_except(old_names, table_schema.names)) = 0
            when old_wrapper = 'key' then size(old_tokens) = size(identity_columns)
            else size(old_tokens) = size(table_schema.names)
        end as old_fits,
        coalesce(
            new_wrapper = 'partial'
            and (
                partial_row.total_columns is null
                or new_cells is null
                or (
                    new_tokens is not null
                    and (
                        partial_row.missing_column_indexes is null
                        or size(array_distinct(partial_row.missing_column_indexes)) + size(new_tokens)
                        <> partial_row.total_columns
                        or size(array_distinct(partial_row.missing_column_indexes))
                        <> size(partial_row.missing_column_indexes)
                        or exists(
                            partial_row.missing_column_indexes,
                            place -> coalesce(place < 0 or place >= partial_row.total_columns, true)
                        )
                    )
                )
            ),
            false
        ) as has_bad_mask
    from cells_read
),

reasons_found as (
    select
        *,
        case
            when fault is not null then fault
            when not startswith(element_text, '{') and variant is distinct from 'unsupported' then 'NOT_A_CHANGE'
            when
                {{ supabase_etl_has_repeats('repeats_no_key', [
                    'element_text', 'event_text', "event['table_schema']", "event['replicated_table_schema']",
                    'new_sent', 'new_row', 'new_cells', 'old_sent', 'old_row', 'old_cells',
                ]) }}
                then 'DUPLICATE_KEYS'
            when coalesce(variant not in ('{{ supabase_etl_variants() | join("', '") }}'), true)
                then case
                    when
                        event['type'] is not null
                        or (size(event) = 1 and element_text rlike '^\\{\\s*"[A-Za-z_]+"\\s*:\\s*\\{')
                        then 'UNKNOWN_OPERATION'
                    else 'NOT_A_CHANGE'
                end
            when variant = 'unsupported' then null
            when event is null then 'WRONG_TYPE'
            when
                variant <> 'copy'
                and (
                    commit_lsn is null or start_lsn is null or (tx_ordinal_sent is not null and ordinal is null)
                )
                then 'BAD_POSITION'
            when variant in ('begin', 'commit') then case when marked_at is null then 'BAD_TIME' end
            when variant = 'truncate' and event['truncated_tables'] is null and event['rel_ids'] is null
                then 'MISSING_TABLE'
            when variant = 'truncate' and tables_truncated is null then 'WRONG_TYPE'
            when variant = 'truncate' and size(tables_truncated) = 0 then 'EMPTY_TRUNCATE'
            when schema_sent is null and table_id_sent is null
                then case when variant = 'truncate' then 'WRONG_TYPE' else 'MISSING_TABLE' end
            when schema_sent is not null and not has_own_schema and variant <> 'truncate' then 'WRONG_TYPE'
            when table_id_sent not rlike '^[0-9]+$' then 'WRONG_TYPE'
            when variant = 'relation' then null
            when variant in ('insert', 'update', 'copy') and coalesce(new_sent, '{}') = '{}' then 'MISSING_IMAGE'
            when variant = 'delete' and coalesce(old_sent, '{}') = '{}' then 'MISSING_KEY_IMAGE'
            when has_bad_mask then 'BAD_MASK'
            when
                variant in ('insert', 'update', 'copy')
                and (coalesce(left(new_cells, 1), '') not in ('[', '{') or new_wrapper = 'key')
                then 'WRONG_TYPE'
            when
                variant in ('update', 'delete')
                and old_sent is not null
                and (
                    coalesce(left(old_cells, 1), '') not in ('[', '{')
                    or old_wrapper = 'partial'
                    or (old_wrapper is null and startswith(old_cells, '['))
                )
                then 'WRONG_TYPE'
            when variant = 'copy' and event['copied_at'] is not null and copied_at is null then 'BAD_TIME'
            when table_schema is null and not (variant = 'truncate' and startswith(truncated, '{')) then 'NO_SCHEMA'
            when variant <> 'truncate' and not coalesce(new_fits and old_fits, false) then 'NO_SCHEMA'
            when variant <> 'copy' and not is_transaction_seen and not is_without_transactions then 'NO_TRANSACTION'
        end as reason
    from widths_compared
),

changes_decoded as (
    select
        *,
        case
            when reason is null then 'change'
            when reason in ('TOMBSTONE', 'EMPTY_ENVELOPE', 'EMPTY_TRUNCATE') then 'ignored'
            when reason in ('NO_SCHEMA', 'NO_TRANSACTION') then 'pending'
            else 'rejected'
        end as outcome,
        coalesce(table_schema.table_id, table_id_sent) as table_id,
        case
            when reason is not null then null
            when new_names is not null then new_cells
            when new_wrapper = 'partial'
                then concat(
                    '{',
                    array_join(
                        zip_with(
                            filter(
                                table_schema.prefixes,
                                (prefix, place) -> not array_contains(partial_row.missing_column_indexes, place)
                            ),
                            new_tokens,
                            (prefix, cell) -> concat(prefix, cell)
                        ),
                        ','
                    ),
                    '}'
                )
            when new_tokens is not null
                then concat(
                    '{',
                    array_join(zip_with(table_schema.prefixes, new_tokens, (prefix, cell) -> concat(prefix, cell)), ','),
                    '}'
                )
        end as new_image,
        case
            when reason is not null then null
            when old_wrapper = 'padded' and old_names is not null
                then concat(
                    '{',
                    array_join(
                        filter(
                            old_tokens, cell -> exists(identity_prefixes, prefix -> startswith(cell, prefix))
                        ),
                        ','
                    ),
                    '}'
                )
            when old_names is not null then old_cells
            when old_wrapper = 'padded'
                -- array_join leaves the nulls out.
                then concat(
                    '{',
                    array_join(
                        zip_with(
                            table_schema.prefixes,
                            old_tokens,
                            (prefix, cell) -> case
                                when array_contains(identity_prefixes, prefix) then concat(prefix, cell)
                            end
                        ),
                        ','
                    ),
                    '}'
                )
            when old_tokens is not null
                then concat(
                    '{',
                    array_join(
                        zip_with(
                            case when old_wrapper = 'key' then identity_prefixes else table_schema.prefixes end,
                            old_tokens,
                            (prefix, cell) -> concat(prefix, cell)
                        ),
                        ','
                    ),
                    '}'
                )
        end as old_image,
        case
            when variant in ('insert', 'update', 'delete', 'copy')
                then concat_ws(
                    '\u0003',
                    concat('old ', coalesce(old_wrapper, 'bare'), ' ', old_cells),
                    concat('missing ', array_join(partial_row.missing_column_indexes, ',', '?')),
                    concat('new ', new_cells)
                )
            when variant = 'truncate' then concat('options ', coalesce(event['options'], '0'))
            when variant = 'relation' then table_schema.schema_id
            when variant in ('begin', 'commit') then concat_ws(' ', timestamp_sent, event['xid'])
            when variant = 'unsupported'
                then coalesce(to_json(map_filter(event, (name, field) -> name <> 'type')), '{}')
        end as content_sent,
        size(
            array_except(
                map_keys(event),
                array(
                    'type', 'start_lsn', 'commit_lsn', 'tx_ordinal', 'timestamp', 'xid', 'flags', 'end_lsn', 'table_schema',
                    'replicated_table_schema', 'table_id', 'table_row', 'updated_table_row', 'old_table_row', 'options',
                    'rel_ids', 'truncated_tables', 'copied_at'
                )
            )
        ) > 0 as has_extra_fields
    from reasons_found
),

described as (
    select
        *,
        -- What the element says, numbers as they were written; a truncate of several tables is told table by table.
        case
            when variant = 'truncate' and outcome in ('change', 'pending') and size(tables_truncated) > 1
                then concat(
                    '{"type":"truncate","start_lsn":"', {{ supabase_etl_lsn_text('start_lsn') }},
                    '","commit_lsn":"', {{ supabase_etl_lsn_text('commit_lsn') }},
                    coalesce(concat('","tx_ordinal":', tx_ordinal_sent), '"'),
                    coalesce(concat(',"options":', event['options']), ''),
                    ',"truncated_tables":[', truncated, ']}'
                )
            else regexp_replace(element_text, '"\\\\u0001cdc-number:([^"]*)"', '$1')
        end as element,
        to_json(
            named_struct(
                'table_id', try_cast(table_id as bigint),
                'start_lsn', {{ supabase_etl_lsn_text('start_lsn') }},
                'xid', try_cast(event['xid'] as bigint),
                'flags', try_cast(event['flags'] as int),
                'end_lsn', {{ supabase_etl_lsn_text(
                    cdc_postgres_lsn(supabase_etl_number("event['end_lsn']"))
                ) }}
            )
        ) as known_metadata
    from changes_decoded
)

select * from described

with messages as (
    select
        source,
        landing_batch,
        -- In one column, so that a step copies one value: Java compiles a step up to 8,000 bytes.
        struct(topic, `partition`, `offset`, `timestamp`, `key`, headers, event_index, stored_event) as delivery,
        fault,
        repeats_no_key,
        element_text
    from {{ ref('stg_supabase_etl__messages') }}
),

events_named as (
    {{ supabase_etl_events('messages') | indent(4) }}
),

schemas_by_table as (
    select
        source,
        table_id,
        schemas
    from {{ ref('stg_supabase_etl__schemas_by_table') }}
),

-- A schema that an event carries itself is found by its text: it need not be parsed again for each event.
schemas_by_text as (
    select
        source,
        declared_as,
        min({{ supabase_etl_schema_of('schemas') }}) as table_schema
    -- The alias is read by the macro, whose text the linter does not see.
    from {{ ref('stg_supabase_etl__schemas') }} as schemas -- noqa: AL05
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
        source, landing_batch, delivery, fault, repeats_no_key, element_text, tag, variant,
        event is not null as is_object,
        event['type'] as type_sent,
        {{ supabase_etl_unguarded("event['commit_lsn']") }} as commit_lsn_sent,
        {{ supabase_etl_unguarded("event['start_lsn']") }} as start_lsn_sent,
        {{ supabase_etl_unguarded("event['end_lsn']") }} as end_lsn_sent,
        {{ supabase_etl_unguarded("event['tx_ordinal']") }} as tx_ordinal_sent,
        {{ supabase_etl_unguarded("event['timestamp']") }} as timestamp_sent,
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
        array_except(map_keys(event), {{ supabase_etl_known_fields() }}) as extra_names
    from events_named
),

-- One row per element, but of a truncate one per table.
tables_named as (
    select
        fields_named.*,
        taken.table_index,
        taken.truncated,
        case
            when startswith(truncated, '{') then get_json_object(truncated, '$.id')
            else coalesce(truncated, event_table_id)
        end as table_id_sent,
        case when startswith(truncated, '{') then truncated else event_schema end as schema_sent
    from fields_named
        lateral view outer posexplode(
            case when variant = 'truncate' then from_json(truncated_sent, 'array<string>') end
        ) taken as table_index, truncated
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
        *,
        new_sent is not null as has_new_row,
        old_sent is not null as has_old_row,
        schema_sent is not null as has_schema,
        md5(schema_sent) as declared_as,
        case
            when contains(schema_sent, '"snapshot_id"')
                then {{ supabase_etl_unguarded("get_json_object(schema_sent, '$.snapshot_id')") }}
        end as snapshot_id,
        case when new_wrapper = 'partial' then partial_row.`values` else {{ supabase_etl_cells('new_row') }} end
            as new_cells,
        {{ supabase_etl_cells('old_row') }} as old_cells
    from partial_rows_opened
),

cells_taken_apart as (
    select
        *,
        case when startswith(new_cells, '[') then {{ supabase_etl_tokens('new_cells') }} end as new_tokens,
        case
            when startswith(old_cells, '[') or (startswith(old_cells, '{') and old_wrapper = 'padded')
                then {{ supabase_etl_tokens('old_cells') }}
        end as old_tokens,
        {{ supabase_etl_has_repeats('repeats_no_key', [
            'element_text', supabase_etl_event_text('element_text', 'tag'), 'schema_sent',
            'new_sent', 'new_row', 'new_cells', 'old_sent', 'old_row', 'old_cells',
        ]) }} as has_repeats
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
),

rows_found as (
    select
        * except (new_tokens, old_tokens),
        {{ supabase_etl_tokens_or_variants('new_cells', 'new_tokens') }} as new_tokens,
        {{ supabase_etl_tokens_or_variants('old_cells', 'old_tokens') }} as old_tokens,
        case when startswith(new_cells, '{') then json_object_keys(new_cells) end as new_names,
        case when startswith(old_cells, '{') then json_object_keys(old_cells) end as old_names
    from identities_known
),

widths_compared as (
    select
        *,
        variant in ('begin', 'commit') as is_transaction_boundary,
        variant in ('insert', 'update', 'copy') as writes_row,
        left(new_cells, 1) as new_form,
        left(old_cells, 1) as old_form,
        case
            when new_cells is null then true
            when new_names is not null then size(array_except(new_names, table_schema.names)) = 0
            when new_wrapper = 'partial'
                then
                    partial_row.total_columns = size(table_schema.names)
                    and size(new_tokens) + size(partial_row.missing_column_indexes) = size(table_schema.names)
            else size(new_tokens) = size(table_schema.names)
        end as new_fits,
        case
            when old_cells is null then true
            when old_names is not null then size(array_except(old_names, table_schema.names)) = 0
            when old_wrapper = 'key' then size(old_tokens) = size(identity_columns)
            else size(old_tokens) = size(table_schema.names)
        end as old_fits,
        -- The 2025 structs cannot say "not sent": without a full old row a value that PostgreSQL did not send again is
        -- filled with its type's default; with one it is moved out of the old row, which then holds a null.
        variant = 'update' and ordinal is null and not is_updated_row as is_without_absence
    from rows_found
),

images_written as (
    select
        *,
        case when is_transaction_boundary then {{ supabase_etl_time('timestamp_sent') }} end as marked_at,
        case when variant = 'copy' then {{ cdc_utc_timestamp('copied_at_sent') }} end as copied_at,
        coalesce(
            variant in (
                {{ "'" ~ supabase_etl_variants() | join("', '") ~ "'" }}
            ),
            false
        ) as is_variant_known,
        {{ cdc_postgres_lsn('end_lsn_sent') }} as end_lsn,
        {{ supabase_etl_without_transactions('source') }} as is_without_transactions,
        concat(commit_lsn, '/', start_lsn) as place,
        coalesce(new_form, '') not in ('[', '{') or coalesce(new_wrapper = 'key', false) as is_new_no_row,
        coalesce(old_form, '') not in ('[', '{')
        or coalesce(old_wrapper = 'partial', false)
        or (old_wrapper is null and old_form = '[') as is_old_no_row,
        new_fits and old_fits as fits,
        table_schema is not null as is_schema_known,
        table_schema.schema_id as schema_id,
        coalesce(table_schema.table_id, table_id_sent) as table_id,
        coalesce(table_schema.schema_name, get_json_object(truncated, '$.name.schema')) as schema_name,
        coalesce(table_schema.table_name, get_json_object(truncated, '$.name.name')) as table_name,
        case when size(table_schema.key_columns) > 0 then table_schema.key_columns end as key_columns_sent,
        size(table_schema.names) as width,
        size(new_names) < size(table_schema.names) as is_new_narrow,
        size(old_names) < size(table_schema.names) as is_old_narrow,
        case
            when
                variant = 'relation'
                or (
                    has_own_schema
                    and table_schema.position = concat(commit_lsn, '/', start_lsn, '/', coalesce(ordinal, ''))
                )
                then {{ supabase_etl_columns_told('table_schema.columns') }}
        end as columns_told,
        case
            when variant in ('insert', 'update', 'delete', 'copy')
                then concat_ws(
                    '\u0003',
                    concat('old ', coalesce(old_wrapper, 'bare'), ' ', old_cells),
                    concat('missing ', array_join(partial_row.missing_column_indexes, ',', '?')),
                    concat('new ', new_cells)
                )
            when variant = 'truncate' then concat('options ', coalesce(options_sent, '0'))
            when variant = 'relation' then table_schema.schema_id
            when is_transaction_boundary then concat_ws(' ', timestamp_sent, xid_sent)
        end as content_sent,
        case
            when not (new_fits and old_fits) then null
            when new_names is not null then new_cells
            when new_tokens is not null
                then concat(
                    '{',
                    array_join(
                        zip_with(
                            case
                                when new_wrapper = 'partial'
                                    then filter(
                                        table_schema.prefixes,
                                        (prefix, place) -> not array_contains(
                                            partial_row.missing_column_indexes, place
                                        )
                                    )
                                else table_schema.prefixes
                            end,
                            new_tokens,
                            (prefix, cell) -> concat(prefix, cell)
                        ),
                        ','
                    ),
                    '}'
                )
        end as new_image,
        case
            when not (new_fits and old_fits) then null
            when old_wrapper = 'padded' and old_names is not null
                then concat(
                    '{',
                    array_join(
                        filter(
                            old_tokens,
                            cell -> exists(
                                identity_columns,
                                name -> startswith(cell, {{ supabase_etl_prefix('name') }})
                            )
                        ),
                        ','
                    ),
                    '}'
                )
            when old_names is not null then old_cells
            when old_wrapper = 'padded'
                -- array_join leaves out the nulls, so only the key's cells are left.
                then concat(
                    '{',
                    array_join(
                        zip_with(
                            table_schema.names,
                            old_tokens,
                            (name, cell) -> case
                                when array_contains(identity_columns, name)
                                    then concat({{ supabase_etl_prefix('name') }}, cell)
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
                            case
                                when old_wrapper = 'key'
                                    then transform(identity_columns, name -> {{ supabase_etl_prefix('name') }})
                                else table_schema.prefixes
                            end,
                            old_tokens,
                            (prefix, cell) -> concat(prefix, cell)
                        ),
                        ','
                    ),
                    '}'
                )
        end as old_image,
        coalesce(
            new_wrapper = 'partial'
            and (
                partial_row.total_columns is null
                or new_cells is null
                or (
                    new_tokens is not null
                    and (
                        partial_row.missing_column_indexes is null
                        or size(new_tokens) + size(partial_row.missing_column_indexes) <> partial_row.total_columns
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
        ) as has_bad_mask,
        is_without_absence and old_wrapper is distinct from 'full' and new_tokens is not null
        and exists(
            zip_with(
                table_schema.is_stored_apart,
                new_tokens,
                (is_stored_apart, cell) -> is_stored_apart and cell in ('""', '0', '"0"', '[]', '{}')
            ),
            is_suspect -> is_suspect
        ) as may_hold_defaults,
        is_without_absence and old_wrapper = 'full' and new_tokens is not null and old_tokens is not null
        and exists(
            zip_with(
                table_schema.is_stored_apart,
                zip_with(old_tokens, new_tokens, (old_cell, new_cell) -> old_cell = 'null' and new_cell <> 'null'),
                (is_stored_apart, is_emptied) -> is_stored_apart and is_emptied
            ),
            is_suspect -> is_suspect
        ) as may_hold_moved_values
    from widths_compared
),

reasons_found as (
    select
        *,
        case
            when fault is not null then fault
            when not startswith(element_text, '{') and variant is distinct from 'unsupported' then 'NOT_A_CHANGE'
            when has_repeats then 'DUPLICATE_KEYS'
            when
                not is_variant_known
                and (type_sent is not null or element_text rlike '^\\{\\s*"[A-Za-z_]+"\\s*:\\s*\\{[^{}]*\\}\\s*\\}$')
                then 'UNKNOWN_OPERATION'
            when not is_variant_known then 'NOT_A_CHANGE'
            when variant = 'unsupported' then null
            when not is_object then 'WRONG_TYPE'
            when
                variant <> 'copy'
                and (
                    commit_lsn is null or start_lsn is null or (tx_ordinal_sent is not null and ordinal is null)
                )
                then 'BAD_POSITION'
            when is_transaction_boundary then case when marked_at is null then 'BAD_TIME' end
            when variant = 'truncate' and truncated_sent is null then 'MISSING_TABLE'
            when variant = 'truncate' and truncated_sent = '[]' then 'EMPTY_TRUNCATE'
            when not has_schema and table_id_sent is null
                then case when variant = 'truncate' then 'WRONG_TYPE' else 'MISSING_TABLE' end
            when has_schema and not has_own_schema and variant <> 'truncate' then 'WRONG_TYPE'
            when table_id_sent not rlike '^[0-9]+$' then 'WRONG_TYPE'
            when variant = 'relation' then null
            when writes_row and not has_new_row then 'MISSING_IMAGE'
            when variant = 'delete' and not has_old_row then 'MISSING_KEY_IMAGE'
            when has_bad_mask then 'BAD_MASK'
            when writes_row and is_new_no_row then 'WRONG_TYPE'
            when variant in ('update', 'delete') and has_old_row and is_old_no_row then 'WRONG_TYPE'
            when variant = 'copy' and copied_at_sent is not null and copied_at is null then 'BAD_TIME'
            when variant = 'truncate' and not is_schema_known and table_name is null then 'NO_SCHEMA'
            when variant <> 'truncate' and not coalesce(is_schema_known and fits, false) then 'NO_SCHEMA'
            when variant <> 'copy' and not is_transaction_seen and not is_without_transactions then 'NO_TRANSACTION'
        end as reason
    from images_written
),

outcomes_known as (
    select
        *,
        {{ cdc_outcome('reason') }} as outcome
    from reasons_found
),

described as (
    select
        *,
        case
            when size(extra_names) > 0 and outcome in ('change', 'pending')
                then {{ supabase_etl_event_text('element_text', 'tag') }}
        end as extra_text
    from outcomes_known
),

metadata_collected as (
    select
        *,
        coalesce(
            to_json(
                map_filter(
                    from_json(extra_text, 'map<string,variant>'),
                    (name, field) -> array_contains(extra_names, name)
                )
            ),
            to_json(
                map_filter(
                    from_json(extra_text, 'map<string,string>'), (name, field) -> array_contains(extra_names, name)
                )
            )
        ) as metadata_extra_guarded,
        -- The element with its numbers as they were written. A truncate of several tables is told table by table, so
        -- that one of them can wait or be read again alone.
        case
            when truncated is not null and outcome in ('change', 'pending') and contains(truncated_sent, ',')
                then concat(
                    '{"type":"truncate","start_lsn":"', {{ supabase_etl_lsn_text('start_lsn') }},
                    '","commit_lsn":"', {{ supabase_etl_lsn_text('commit_lsn') }}, '"',
                    coalesce(concat(',"tx_ordinal":', tx_ordinal_sent), ''),
                    coalesce(concat(',"options":', options_sent), ''),
                    ',"truncated_tables":[', truncated, ']}'
                )
            when contains(element_text, 'cdc-number:')
                then regexp_replace(element_text, '"\\\\u0001cdc-number:([^"]*)"', '$1')
            else element_text
        end as element,
        to_json(
            named_struct(
                'table_id', try_cast(table_id as bigint),
                'start_lsn', {{ supabase_etl_lsn_text('start_lsn') }},
                'xid', try_cast(xid_sent as bigint),
                'flags', try_cast(flags_sent as int),
                'end_lsn', {{ supabase_etl_lsn_text('end_lsn') }},
                'options', try_cast(options_sent as int),
                'cascade', try_cast(options_sent as int) & 1 <> 0,
                'restart_identity', try_cast(options_sent as int) & 2 <> 0,
                'snapshot_id', snapshot_id,
                'columns', columns_told
            )
        ) as metadata_known
    from described
),

metadata_restored as (
    select
        *,
        {{ supabase_etl_restored('metadata_extra_guarded') }} as metadata_extra
    from metadata_collected
),

final as (
    select
        source,
        landing_batch,
        delivery.*,
        table_index,
        element,
        outcome,
        reason,
        {{ cdc_reason_detail(
            'reason', "'a row, a schema or a list of tables'",
            'type_sent, commit_lsn_sent, start_lsn_sent, tx_ordinal_sent, timestamp_sent, copied_at_sent, table_id, width'
        ) }} as reason_detail,
        case
            when
                outcome = 'change' and not has_own_schema
                and variant in ('insert', 'update', 'delete', 'copy', 'truncate')
                then table_id_sent
        end as schema_scope,
        case
            when outcome not in ('change', 'pending') or variant = 'unsupported' then null
            when variant = 'copy' then concat('copy/', table_id, '/', coalesce(copied_at_sent, ''))
            when is_transaction_boundary then concat(commit_lsn, '/', variant)
            else concat(place, '/', table_id, '/', variant)
        end as vendor_identity,
        case
            when outcome not in ('change', 'pending') then null
            when variant = 'unsupported' then coalesce(metadata_extra, '{}')
            else {{ supabase_etl_restored('content_sent') }}
        end as content_sent,
        schema_name,
        table_name,
        case variant
            when 'copy' then 'snapshot'
            when 'relation' then 'schema'
            else case when is_variant_known then variant end
        end as operation,
        key_columns_sent,
        case when outcome = 'change' then {{ supabase_etl_restored('old_image') }} end as before,
        case when outcome = 'change' then {{ supabase_etl_restored('new_image') }} end as after,
        case
            when outcome <> 'change' or old_image is null then 'none'
            when old_wrapper in ('padded', 'key') then 'key'
            when old_wrapper is null then 'unknown'
            when is_old_narrow then 'partial'
            else 'full'
        end as before_image,
        case
            when outcome <> 'change' or new_image is null then 'none'
            when new_wrapper = 'partial' or is_new_narrow then 'partial'
            else 'full'
        end as after_image,
        case when variant <> 'copy' then concat(commit_lsn, '/', coalesce(ordinal, start_lsn)) end as position,
        case
            when is_transaction_boundary then marked_at
            when variant in ('insert', 'update', 'delete', 'truncate') and not is_without_transactions
                then transaction_committed_at
        end as committed_at,
        copied_at as snapshot_at,
        case when variant <> 'copy' then {{ supabase_etl_lsn_text('commit_lsn') }} end as transaction_id,
        try_cast(tx_ordinal_sent as bigint) as transaction_index,
        case when variant = 'commit' then true end as is_transaction_end,
        schema_id,
        case
            when outcome not in ('change', 'pending') then null
            when metadata_extra is not null
                then to_json(
                    map_concat(
                        from_json(metadata_known, 'map<string,variant>'),
                        map_filter(
                            from_json(metadata_extra, 'map<string,variant>'),
                            (name, field) -> not array_contains(json_object_keys(metadata_known), name)
                        )
                    )
                )
            else metadata_known
        end as metadata,
        {{ cdc_warnings({
            'FABRICATED_DEFAULT_POSSIBLE': "outcome = 'change' and may_hold_defaults",
            'NULL_MAY_BE_UNKNOWN': "outcome = 'change' and may_hold_moved_values",
            'NUMBER_KEPT_AS_TEXT': "outcome = 'change' and (" ~ supabase_etl_has_number_as_text('new_image') ~ ' or '
                ~ supabase_etl_has_number_as_text('old_image') ~ ')',
        }) }} as warnings,
        {{ cdc_absent([
            'database_name', 'key_values_sent', 'key_values_before_sent', 'changed_columns', 'message_id',
        ]) }}
    from metadata_restored
)

select * from final

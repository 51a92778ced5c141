with transactions as (
    select
        source,
        commit_lsn,
        max(committed_at) as committed_at
    from {{ ref('stg_supabase_etl__transactions') }}
    group by source, commit_lsn
),

joined as (
    select
        events.*,
        schemas.table_schemas is not null and events.schema_text is not null as has_own_schema,
        if(
            events.schema_text is null,
            {{ supabase_etl_effective_schema('schemas.table_schemas', 'events.place') }},
            try_element_at(schemas.table_schemas, 1)
        ) as table_schema,
        table_schema.names as names,
        if(
            event_name = 'relation' or has_own_schema and table_schema.position = place, schemas.columns_declared, null
        ) as columns_declared_here,
        transactions.commit_lsn is not null as is_transaction_seen,
        transactions.committed_at as transaction_committed_at
    from {{ ref('stg_supabase_etl__fields') }} as events
    left join {{ ref('stg_supabase_etl__effective_schemas') }} as schemas
        on
            events.source = schemas.source
            and coalesce(md5(events.schema_text), events.table_id_sent) = schemas.schema_key
    left join transactions
        on events.source = transactions.source and left(events.place, 16) = transactions.commit_lsn
),

images as (
    select
        joined.*,
        -- The schema flags the key's columns, unless it flags all (replica identity FULL) or none (a custom writer).
        coalesce(
            if(size(table_schema.key_columns) between 1 and size(names) - 1, table_schema.key_columns, null),
            {{ cdc_settings_of('joined.source', 'joined.table_schema.schema_name') }}.key_columns,
            table_schema.key_columns
        ) as configured_key,
        if(old_kind in ('padded', 'key'), array_intersect(names, configured_key), null) as identity_columns,
        if(new_kind = 'partial', filter(names, (n, i) -> not array_contains(missing_indexes, i)), names) as new_names,
        coalesce(
            new_named, if(size(new_cells) = size(new_names), map_from_arrays(new_names, new_cells), null)
        ) as new_row,
        if(old_kind = 'key', identity_columns, names) as old_names,
        coalesce(
            old_named, if(size(old_cells) = size(old_names), map_from_arrays(old_names, old_cells), null)
        ) as old_row,
        -- A padded row means its key alone.
        if(
            old_kind = 'padded', map_filter(old_row, (name, cell) -> array_contains(identity_columns, name)), old_row
        ) as old_row_kept,
        (new_row is not null or not has_new_row) and (old_row is not null or not has_old_row)
        and coalesce(size(array_except(map_keys(new_named), names)) = 0, true)
        and coalesce(size(array_except(map_keys(old_named), names)) = 0, true)
        and coalesce(total_columns = size(names), true) as fits,
        coalesce(table_schema.table_id, table_id_sent) as table_id,
        coalesce(table_schema.schema_name, get_json_object(truncated_table, '$.name.schema')) as schema_name,
        coalesce(table_schema.table_name, get_json_object(truncated_table, '$.name.name')) as table_name
    from joined
    {{ cdc_table_settings_join("'supabase_etl'", 'joined.table_schema.table_name') }}
),

validated as (
    select
        *,
        source in ({{ cdc_text_list(var('cdc_sources_without_transactions', [])) }}) as is_without_transactions,
        {{ supabase_etl_metadata_columns(
            'sent', 'place', 'table_id', 'columns_declared_here', 'schema_text', 'sent_document'
        ) }},
        case
            when event_name = 'unsupported' then null
            when event_name = 'copy' then concat('copy/', table_id, '/', coalesce(sent.copied_at, ''))
            when event_name in ('begin', 'commit') then concat(left(place, 17), event_name)
            else concat(left(place, 34), table_id, '/', event_name)
        end as identity,
        case
            when is_of_row
                then concat_ws(
                    '\u0003', concat('old ', coalesce(old_kind, 'bare'), ' ', old_content),
                    concat('missing ', array_join(missing_indexes, ',')), concat('new ', new_content)
                )
            when event_name = 'truncate' then concat('options ', coalesce(sent.options, '0'))
            when event_name = 'relation' then table_schema.schema_id
            when event_name = 'unsupported' then metadata
            else concat_ws(' ', sent.`timestamp`, sent.xid)
        end as content,
        case
            when problem is not null then problem
            when event_name in ('unsupported', 'begin', 'commit') then null
            when schema_text is not null and not has_own_schema and event_name <> 'truncate' then 'WRONG_TYPE'
            when event_name = 'relation' then null
            when if(event_name = 'truncate', table_name is null, table_schema is null or not fits) then 'NO_SCHEMA'
            when event_name <> 'copy' and not is_transaction_seen and not is_without_transactions then 'NO_TRANSACTION'
        end as reason
    from images
)

select
    {{ cdc_transport_columns() }},
    table_index,
    event,
    {{ cdc_status('reason') }} as status,
    reason,
    {{ cdc_reason_detail('reason', "coalesce(wrong_types, 'table_schema')",
        'sent.type, sent.commit_lsn, sent.start_lsn, sent.tx_ordinal, sent.timestamp, sent.copied_at, table_id,'
        ~ ' size(names) as columns') }} as reason_detail,
    if(
        reason is null and not has_own_schema and (is_of_row or event_name = 'truncate'), table_id_sent, null
    ) as schema_scope,
    if(status in ('change', 'pending'), identity, null) as vendor_identity,
    if(status in ('change', 'pending'), content, null) as content_sent,
    schema_name,
    table_name,
    case event_name when 'copy' then 'snapshot' when 'relation' then 'schema' else event_name end as operation,
    if(size(table_schema.key_columns) > 0, table_schema.key_columns, null) as key_columns_sent,
    if(reason is null, to_json(old_row_kept), null) as before,
    if(reason is null, to_json(new_row), null) as after,
    case
        when before is null then 'none'
        when old_kind in ('padded', 'key') then 'key'
        when old_kind is null then 'unknown'
        when size(old_row) < size(names) then 'partial'
        else 'full'
    end as before_image,
    if(
        after is null, 'none', if(new_kind = 'partial' or size(new_row) < size(names), 'partial', 'full')
    ) as after_image,
    if(after_image = 'partial', names, null) as row_columns,
    -- Messages that carry the table's columns, or a copied row, say which table has the name.
    if(
        status = 'change' and (event_name in ('relation', 'copy') or has_own_schema), table_id, null
    ) as table_identity,
    concat(left(place, 17), if(sent.tx_ordinal is null, substring(place, 18, 16), right(place, 16))) as position,
    case
        when event_name in ('begin', 'commit') then marked_at
        when event_name not in ('copy', 'relation') and not is_without_transactions then transaction_committed_at
    end as committed_at,
    copied_at as snapshot_at,
    {{ cdc_postgres_lsn_text('left(place, 16)') }} as transaction_id,
    try_cast(sent.tx_ordinal as bigint) as transaction_index,
    if(event_name = 'commit', true, null) as is_transaction_end,
    table_schema.schema_id,
    if(status in ('change', 'pending'), metadata, null) as metadata,
    {{ cdc_warnings({
        'FABRICATED_DEFAULT_POSSIBLE': "reason is null and is_update_of_2025 and not old_kind <=> 'full' and "
            ~ supabase_etl_may_hold_filler('after', 'table_schema.may_be_stored_apart', 'new_cells'),
        'NULL_MAY_BE_UNKNOWN': "reason is null and is_update_of_2025 and old_kind = 'full' and "
            ~ supabase_etl_may_hold_filler('before', 'table_schema.may_be_stored_apart', 'old_cells', 'new_cells'),
        'NUMBER_KEPT_AS_TEXT': 'reason is null and has_number_as_text',
    }) }} as warnings
from validated

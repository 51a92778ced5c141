{%- set sources_without_transactions = cdc_sql_list(var('cdc_sources_without_transactions', [])) %}
-- Every event with its place in the log, its times, and the fields that have no column of their own.
with described as (
    select
        * except (
            type_sent,
            commit_lsn,
            start_lsn,
            tx_ordinal,
            time_sent,
            copied_at_sent,
            xid,
            flags,
            end_lsn,
            options
        ),
        -- In one column, so that the steps that follow are small enough for Java to compile.
        struct(
            type_sent as `type`,
            commit_lsn,
            start_lsn,
            tx_ordinal,
            copied_at_sent as copied_at
        ) as message,
        case
            when event_name <> 'copy' then {{ supabase_etl_position('commit_lsn', 'start_lsn', 'tx_ordinal') }}
        end as log_position,
        -- A truncate names its table in a list, by its id or by its schema.
        case when event_name = 'truncate' then from_json(truncated_sent, 'array<string>') end as truncated_tables,
        get_json_object(truncated_sent, '$[0].id') as truncated_table_id,
        get_json_object(truncated_sent, '$[0].name.schema') as truncated_schema_name,
        get_json_object(truncated_sent, '$[0].name.name') as truncated_table_name,
        case
            when event_name in ('begin', 'commit') then {{ cdc_postgres_time('time_sent') }}
            when event_name = 'copy' then {{ cdc_utc_timestamp('copied_at_sent') }}
        end as event_at,
        event_name in ('insert', 'update', 'delete', 'copy') as is_row_event,
        event_name = 'update' and tx_ordinal is null and not has_updated_row as is_update_of_2025,
        source in ({{ sources_without_transactions }}) as is_without_transactions,
        case
            when event_name in ('begin', 'commit') then to_json(array(time_sent, xid))
            when event_name = 'truncate' then coalesce(options, '0')
        end as control_content,
        to_json(struct(
            {{ cdc_postgres_lsn_text(cdc_postgres_lsn('start_lsn')) }} as start_lsn,
            try_cast(xid as bigint) as xid,
            try_cast(flags as int) as flags,
            {{ cdc_postgres_lsn_text(cdc_postgres_lsn('end_lsn')) }} as end_lsn,
            try_cast(options as int) as options,
            try_cast(options as int) & 1 <> 0 as `cascade`,
            try_cast(options as int) & 2 <> 0 as restart_identity,
            get_json_object(schema_sent, '$.snapshot_id') as snapshot_id
        )) as other_fields
    from {{ ref('stg_supabase_etl__fields') }}
),

-- Every event with what its schema is looked up by.
named as (
    select
        *,
        try_element_at(truncated_tables, 1) as truncated_table,
        coalesce(schema_sent, if(startswith(truncated_table, '{'), truncated_table, null)) as schema_text,
        coalesce(
            truncated_table_id,
            if(startswith(truncated_table, '{'), null, truncated_table),
            table_id_sent
        ) as table_id_named,
        -- Without an ordinal a row stands behind all that share its LSNs.
        concat(log_position, if(endswith(log_position, '/'), '~', '')) as schema_place,
        coalesce(md5(schema_text), table_id_named) as schema_key
    from described
),

-- Every transaction of which BEGIN or COMMIT has come.
transactions as (
    select
        source,
        commit_lsn,
        max(committed_at) as committed_at
    from {{ ref('stg_supabase_etl__transactions') }}
    group by source, commit_lsn
),

-- Every event with its effective table schema and with its transaction. A copied row takes the first schema.
joined as (
    select
        named.* except (schema_text, schema_key, schema_place, is_without_transactions),
        named.schema_text is not null as carries_schema,
        schemas.schema_key is not null and named.schema_text is not null as has_own_schema,
        schemas.position as schema_position,
        schemas.schema_id,
        schemas.column_names,
        schemas.key_columns as message_key_columns,
        schemas.may_be_toasted,
        schemas.columns_declared,
        coalesce(schemas.table_id, named.table_id_named) as table_id,
        coalesce(schemas.schema_name, named.truncated_schema_name) as schema_name,
        coalesce(schemas.table_name, named.truncated_table_name) as table_name,
        transactions.commit_lsn is not null or named.is_without_transactions as has_transaction,
        if(named.is_without_transactions, null, transactions.committed_at) as transaction_committed_at
    from named
    left join {{ ref('stg_supabase_etl__effective_schemas') }} as schemas
        on
            named.source = schemas.source
            and named.schema_key = schemas.schema_key
            and (
                (named.schema_place >= schemas.valid_from and named.schema_place < schemas.valid_to)
                or (named.schema_place is null and schemas.is_first)
            )
    left join transactions
        on named.source = transactions.source and left(named.log_position, 16) = transactions.commit_lsn
),

-- Every event with its rows by name.
with_rows as (
    select
        joined.*,
        -- The schema flags the key's columns, unless it flags all (replica identity FULL) or none (a custom writer).
        coalesce(
            if(size(message_key_columns) between 1 and size(column_names) - 1, message_key_columns, null),
            {{ cdc_settings_of('joined.source', 'joined.schema_name') }}.key_columns,
            message_key_columns
        ) as identity_columns,
        if(
            new_kind = 'partial',
            filter(column_names, (name, index) -> not array_contains(missing_indexes, index)),
            column_names
        ) as new_names,
        coalesce(
            new_named,
            if(size(new_cells) = size(new_names), map_from_arrays(new_names, new_cells), null)
        ) as new_row,
        if(old_kind = 'key', array_intersect(column_names, identity_columns), column_names) as old_names,
        coalesce(
            old_named,
            if(size(old_cells) = size(old_names), map_from_arrays(old_names, old_cells), null)
        ) as old_row,
        -- A padded row means its key alone.
        if(
            old_kind = 'padded',
            map_filter(
                old_row,
                (name, cell) -> array_contains(array_intersect(column_names, identity_columns), name)
            ),
            old_row
        ) as old_row_kept,
        case
            when new_kind = 'partial'
                then coalesce(
                    (total_columns is not null and new_named is not null)
                    or (
                        size(new_cells) + size(missing_indexes) = total_columns
                        and size(array_distinct(missing_indexes)) = size(missing_indexes)
                        and forall(missing_indexes, index -> index between 0 and total_columns - 1)
                    ),
                    false
                )
            else true
        end as has_good_mask
    from joined
    {{ cdc_table_settings_join("'supabase_etl'", 'joined.table_name') }}
),

-- Every event with the reason why it is no change, null for a change; and with its metadata.
validated as (
    select
        *,
        (new_row is not null or not has_new_row)
        and (old_row is not null or not has_old_row)
        and coalesce(size(array_except(map_keys(new_named), column_names)) = 0, true)
        and coalesce(size(array_except(map_keys(old_named), column_names)) = 0, true)
        and coalesce(total_columns = size(column_names), true) as matches_schema,
        case
            when envelope_reason is not null then envelope_reason
            when event is null then 'TOMBSTONE'
            when event_name = 'unsupported' then null
            when not is_json_object
                then if({{ cdc_is_one_json_value('event') }}, 'NOT_A_CHANGE', 'NOT_JSON')
            when event_name is null and message.`type` is not null then 'UNKNOWN_OPERATION'
            when event_name is null
                then if(
                    event rlike '^[{]\\s*"[A-Za-z_]+"\\s*:\\s*[{][^{}]*[}]\\s*[}]$',
                    'UNKNOWN_OPERATION',
                    'NOT_A_CHANGE'
                )
            when table_id_named not rlike '^[0-9]+$' then 'WRONG_TYPE'
            when event_name = 'truncate' and truncated_tables is null and truncated_sent is not null then 'WRONG_TYPE'
            when
                event_name in ('insert', 'update', 'copy')
                and has_new_row
                and new_cells is null
                and new_named is null
                then 'WRONG_TYPE'
            when event_name in ('insert', 'update', 'copy') and new_kind = 'key' then 'WRONG_TYPE'
            -- An old row without names says which of its columns it holds.
            when
                event_name in ('update', 'delete')
                and has_old_row
                and old_named is null
                and (old_kind is null or old_cells is null)
                then 'WRONG_TYPE'
            when event_name in ('update', 'delete') and old_kind = 'partial' then 'WRONG_TYPE'
            when event_name <> 'copy' and log_position is null then 'BAD_POSITION'
            when event_name in ('begin', 'commit') then if(event_at is null, 'BAD_TIME', null)
            when size(truncated_tables) = 0 then 'EMPTY_TRUNCATE'
            when not carries_schema and table_id_named is null then 'MISSING_TABLE'
            when event_name in ('insert', 'update', 'copy') and not has_new_row then 'MISSING_IMAGE'
            when event_name = 'delete' and not has_old_row then 'MISSING_KEY_IMAGE'
            when not has_good_mask then 'BAD_MASK'
            when event_name = 'copy' and event_at is null and message.copied_at is not null then 'BAD_TIME'
            when carries_schema and not has_own_schema and event_name <> 'truncate' then 'WRONG_TYPE'
            when event_name = 'relation' then null
            when event_name = 'truncate' then if(table_name is null, 'NO_SCHEMA', null)
            when column_names is null or not matches_schema then 'NO_SCHEMA'
        end as reason_of_event,
        case
            when reason_of_event is not null then reason_of_event
            when
                event_name not in ('unsupported', 'begin', 'commit', 'relation', 'copy')
                and not has_transaction
                then 'NO_TRANSACTION'
        end as reason,
        {{ cdc_json_object({
            'table_id': 'try_cast(table_id as bigint)',
            '*fields': cdc_without_braces('other_fields'),
            'columns': "if(event_name = 'relation' or schema_position = log_position, columns_declared, null)",
        }) }} as metadata
    from with_rows
)

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
    redecoded_event_id,
    table_index,
    event,
    {{ cdc_status('reason') }} as status,
    reason,
    case
        when reason is not null
            then to_json(struct(
                message,
                table_id,
                size(column_names) as columns
            ))
    end as reason_detail,
    -- A schema message that arrives late may change how the event is read.
    case
        when reason is null and not has_own_schema and (is_row_event or event_name = 'truncate') then table_id_named
    end as schema_scope,
    case
        when event_name = 'copy' then {{ cdc_identity(["'copy'", 'table_id', 'message.copied_at']) }}
        when event_name in ('begin', 'commit') then {{ cdc_identity(['left(log_position, 16)', 'event_name']) }}
        when event_name <> 'unsupported' then {{ cdc_identity(['left(log_position, 33)', 'table_id', 'event_name']) }}
    end as vendor_identity,
    case
        when is_row_event
            then {{ cdc_content([
                'to_json(array(old_kind))', 'old_content', 'to_json(missing_indexes)', 'new_content',
            ]) }}
        when event_name = 'relation' then schema_id
        when event_name = 'unsupported' then metadata
        else control_content
    end as content_sent,
    schema_name,
    table_name,
    case event_name
        when 'copy' then 'snapshot'
        when 'relation' then 'schema'
        else event_name
    end as operation,
    case when size(message_key_columns) > 0 then message_key_columns end as key_columns_sent,
    to_json(old_row_kept) as before,
    to_json(new_row) as after,
    case
        when before is null then 'none'
        when old_kind in ('padded', 'key') then 'key'
        when old_kind is null then 'unknown'
        when size(old_row) < size(column_names) then 'partial'
        else 'full'
    end as before_image,
    case
        when after is null then 'none'
        when new_kind = 'partial' or size(new_row) < size(column_names) then 'partial'
        else 'full'
    end as after_image,
    case when after_image = 'partial' then column_names end as row_columns,
    -- Messages that carry the table's columns, or a copied row, say which table has the name.
    case
        when reason is null and (event_name in ('relation', 'copy') or has_own_schema) then table_id
    end as table_identity,
    concat(
        left(log_position, 17),
        if(message.tx_ordinal is null, substring(log_position, 18, 16), right(log_position, 16))
    ) as position,
    case
        when event_name in ('begin', 'commit') then event_at
        when event_name not in ('copy', 'relation') then transaction_committed_at
    end as committed_at,
    case when event_name = 'copy' then event_at end as snapshot_at,
    {{ cdc_postgres_lsn_text('left(log_position, 16)') }} as transaction_id,
    try_cast(message.tx_ordinal as bigint) as transaction_index,
    case when event_name = 'commit' then true end as is_transaction_end,
    schema_id,
    metadata,
    {{ cdc_warnings({
        'FABRICATED_DEFAULT_POSSIBLE': "reason is null and is_update_of_2025 and not old_kind <=> 'full' and "
            ~ supabase_etl_may_hold_fabricated_default('after', 'may_be_toasted', 'new_cells'),
        'NULL_MAY_BE_UNKNOWN': "reason is null and is_update_of_2025 and old_kind = 'full' and "
            ~ supabase_etl_may_hold_fabricated_default('before', 'may_be_toasted', 'old_cells', 'new_cells'),
        'NUMBER_KEPT_AS_TEXT': 'reason is null and has_number_as_text',
    }) }} as warnings
from validated

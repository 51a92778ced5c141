with messages as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        stored_event,
        element,
        envelope_problem
    from {{ ref('stg_sequin__messages') }}
),

parsed as (
    select
        *,
        from_json(element, 'map<string,string>') as fields,
        -- One pass finds a clean element: one JSON value, nothing after it, no key twice anywhere in it. Whatever
        -- fails here is looked at more closely below.
        coalesce(
            try_variant_get(try_parse_json(concat('[', element, ',"cdc-end"]')), '$[1]', 'string') = 'cdc-end'
            and not contains(element, 'cdc-end'),
            false
        ) as is_clean
    from messages
),

described as (
    select
        *,
        fields['record'] as record,
        nullif(fields['changes'], '{}') as old_values,
        fields['action'] as action,
        fields['metadata'] as metadata_text,
        from_json(fields['metadata'], 'map<string,string>') as metadata_fields,
        case when is_clean then true else coalesce({{ cdc_is_json('element') }}, false) end as is_json,
        -- Cheap looks at the whole text that save dearer ones below.
        contains(element, '"{') as has_text_like_an_object,
        contains(element, 'cdc-number:') as has_guarded_numbers
    from parsed
),

typed as (
    select
        *,
        -- database_name is Sequin's own name for the database and so is database.name, which came later: the older
        -- field first, so that a row stays the same row when the producer is upgraded.
        coalesce(
            metadata_fields['database_name'],
            get_json_object(metadata_fields['database'], '$.name'),
            get_json_object(metadata_fields['database'], '$.database')
        ) as database_name,
        metadata_fields['table_schema'] as schema_name,
        metadata_fields['table_name'] as table_name,
        metadata_fields['idempotency_key'] as idempotency_key,
        metadata_fields['commit_timestamp'] as commit_timestamp,
        {{ cdc_unguarded("metadata_fields['commit_lsn']") }} as commit_lsn,
        case
            when metadata_fields['commit_idx'] is not null
                then {{ cdc_unguarded("metadata_fields['commit_idx']") }}
            -- In May 2025 the index stood only in the key, which is base64 of `<commit_lsn>:<commit_idx>`.
            when
                substring_index({{ sequin_decoded_key() }}, ':', 1)
                = {{ cdc_unguarded("metadata_fields['commit_lsn']") }}
                then nullif(regexp_extract({{ sequin_decoded_key() }}, '^[0-9]{1,20}:([0-9]{1,20})$', 1), '')
        end as commit_index,
        metadata_fields['record_pks'] as key_values_text,
        concat(
            '{"record":', coalesce(fields['record'], 'null'), ',"changes":', coalesce(old_values, 'null'), '}'
        ) as content
    from described
),

configured as (
    select
        typed.*,
        coalesce(
            {{ cdc_table_setting('replica_identity', 'typed.source', 'typed.schema_name') }}, 'unknown'
        ) as replica_identity,
        {{ cdc_table_setting('key_columns', 'typed.source', 'typed.schema_name') }} as configured_key_columns
    from typed
    {{ cdc_table_settings_join("'sequin'", 'typed.table_name') }}
),

measured as (
    select
        *,
        case
            when action = 'update' and contains(record, '"unchanged_toast"')
                then map_keys(map_filter(
                    from_json(record, 'map<string,string>'),
                    (column_name, column_value) -> column_value = 'unchanged_toast'
                ))
        end as columns_not_sent,
        case
            when action in ('delete', 'read') and contains(record, ':null')
                then map_keys(map_filter(
                    from_json(record, 'map<string,string>'),
                    (column_name, column_value) -> column_value is null
                    and not coalesce(array_contains(configured_key_columns, column_name), false)
                ))
        end as null_columns,
        case
            when startswith(key_values_text, '[') and key_values_text <> '[]'
                then transform(
                    from_json(key_values_text, 'array<string>'),
                    key_value -> {{ cdc_unguarded('key_value') }}
                )
        end as key_values_sent,
        case
            when commit_timestamp rlike '^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]'
                then {{ cdc_utc_timestamp('commit_timestamp') }}
        end as told_at,
        commit_lsn rlike '^[0-9]{1,20}$' as has_lsn,
        commit_index rlike '^[0-9]{1,20}$' as has_index
    from configured
),

imaged as (
    select
        *,
        case
            when columns_not_sent is not null
                then {{ sequin_image_without('record', 'columns_not_sent', "'\"unchanged_toast\"'") }}
            when action = 'delete' and replica_identity <> 'full' and null_columns is not null
                then {{ sequin_image_without('record', 'null_columns', "'null'") }}
            else record
        end as image
    from measured
),

judged as (
    select
        *,
        case
            when envelope_problem = 'EMPTY_ENVELOPE' then 'EMPTY_ENVELOPE'
            when element is null then 'TOMBSTONE'
            when not is_json then 'NOT_JSON'
            when envelope_problem = 'DUPLICATE_KEYS' then 'DUPLICATE_KEYS'
            when
                not is_clean
                and {{ cdc_has_duplicate_keys('element', [
                    'element', 'record', "fields['changes']", 'metadata_text', "metadata_fields['consumer']",
                    "metadata_fields['database']",
                ]) }}
                then 'DUPLICATE_KEYS'
            when
                fields is null
                or (not map_contains_key(fields, 'record') and table_name is null)
                or (action is null and metadata_text is null)
                then 'NOT_A_CHANGE'
            when {{ sequin_wrong_types() }} <> '' then 'WRONG_TYPE'
            when action is null or action not in ('insert', 'update', 'delete', 'read') then 'UNKNOWN_OPERATION'
            when coalesce(schema_name, '') = '' or coalesce(table_name, '') = '' then 'MISSING_TABLE'
            when action <> 'delete' and coalesce(record, '{}') = '{}' then 'MISSING_IMAGE'
            when coalesce(image, '{}') = '{}' and key_values_sent is null then 'MISSING_KEY_IMAGE'
            when not has_lsn or not has_index or (commit_lsn is null and action <> 'read')
                then 'BAD_POSITION'
            when commit_timestamp is not null and told_at is null then 'BAD_TIME'
        end as reason
    from imaged
),

canonical as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        stored_event,
        element,
        case
            when reason is null then 'change'
            when reason in ('TOMBSTONE', 'EMPTY_ENVELOPE') then 'ignored'
            else 'rejected'
        end as outcome,
        reason,
        case when reason is not null then {{ sequin_reason_detail() }} end as reason_detail,
        case
            when action = 'read'
                then concat_ws(
                    '|', 'read', coalesce(database_name, ''), schema_name, table_name,
                    coalesce(idempotency_key, md5(content)), coalesce(commit_timestamp, '')
                )
            else concat_ws(
                '|', 'change', coalesce(database_name, ''), schema_name, table_name,
                lpad(commit_lsn, 20, '0'), coalesce(lpad(commit_index, 20, '0'), md5(content))
            )
        end as vendor_identity,
        content,
        has_guarded_numbers,
        database_name,
        schema_name,
        table_name,
        case
            when action = 'read' then 'snapshot'
            when action in ('insert', 'update', 'delete') then action
        end as operation,
        key_values_sent,
        case
            when action = 'update' then old_values
            when action = 'delete' then image
        end as before,
        case when action <> 'delete' then image end as after,
        case
            when action = 'update' and old_values is not null then 'changed'
            when action <> 'delete' or image is null then 'none'
            when replica_identity = 'full' then 'full'
            when replica_identity = 'default' then 'key'
            when size(null_columns) > 0 then 'unknown'
            else 'full'
        end as before_image,
        case
            when action = 'delete' or image is null then 'none'
            when size(columns_not_sent) > 0 then 'partial'
            else 'full'
        end as after_image,
        case when action = 'update' then json_object_keys(old_values) end as changed_columns,
        case
            when has_lsn and has_index
                then concat(lpad(commit_lsn, 20, '0'), '/', lpad(commit_index, 20, '0'))
            when has_lsn then lpad(commit_lsn, 20, '0')
        end as position,
        case when action <> 'read' then told_at end as committed_at,
        case when action = 'read' then told_at end as snapshot_at,
        try_cast(commit_index as bigint) as transaction_index,
        idempotency_key,
        case
            when reason is null
                then {{ sequin_metadata() }}
        end as metadata,
        array_compact(array(
            case
                when
                    size(null_columns) > 0
                    and (action = 'read' or replica_identity not in ('full', 'default'))
                    then 'NULL_MAY_BE_UNKNOWN'
            end,
            case
                when has_guarded_numbers and {{ cdc_has_number_kept_as_text('content') }}
                    then 'NUMBER_KEPT_AS_TEXT'
            end
        )) as warnings
    from judged
),

final as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        event_index,
        cast(null as int) as table_index,
        stored_event,
        case when has_guarded_numbers then {{ cdc_restore_numbers('element') }} else element end as element,
        outcome,
        reason,
        reason_detail,
        cast(null as string) as schema_scope,
        vendor_identity,
        case when has_guarded_numbers then {{ cdc_restore_numbers('content') }} else content end as content_sent,
        database_name,
        schema_name,
        table_name,
        operation,
        cast(null as array<string>) as key_columns_sent,
        key_values_sent,
        cast(null as array<string>) as key_values_before_sent,
        case when has_guarded_numbers then {{ cdc_restore_numbers('before') }} else before end as before,
        case when has_guarded_numbers then {{ cdc_restore_numbers('after') }} else after end as after,
        before_image,
        after_image,
        changed_columns,
        position,
        committed_at,
        snapshot_at,
        cast(null as string) as transaction_id,
        transaction_index,
        cast(null as boolean) as is_transaction_end,
        idempotency_key as message_id,
        cast(null as string) as schema_id,
        case when has_guarded_numbers then {{ cdc_restore_numbers('metadata') }} else metadata end as metadata,
        warnings
    from canonical
)

select * from final

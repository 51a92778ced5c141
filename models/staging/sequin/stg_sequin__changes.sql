-- Every event with the settings of its table, its place and its time.
with configured as (
    select
        fields.*,
        {{ cdc_settings_of('fields.source', 'fields.table_schema') }} as table_settings,
        table_settings.key_columns as configured_key_columns,
        table_settings.replica_identity as replica_identity,
        -- Empty changes say as little as missing ones.
        nullif(fields.changes, '{}') as old_values,
        {{ cdc_content(['fields.record', 'old_values']) }} as content_sent,
        -- An idempotency_key is base64 of `<commit_lsn>:<commit_idx>`; in May 2025 the index stood there alone.
        case
            when fields.commit_idx is null
                then cast(try_to_binary(fields.idempotency_key, 'base64') as string)
        end as place_in_key,
        coalesce(
            fields.commit_idx,
            case
                when startswith(place_in_key, concat(fields.commit_lsn, ':'))
                    then nullif(split_part(place_in_key, ':', 2), '')
            end
        ) as index_sent,
        case when fields.commit_lsn rlike '^[0-9]{1,20}$' then lpad(fields.commit_lsn, 20, '0') end as lsn,
        case when index_sent rlike '^[0-9]{1,20}$' then lpad(index_sent, 20, '0') end as lsn_index,
        {{ cdc_utc_timestamp('fields.commit_timestamp') }} as event_at,
        -- The older field first: a row stays the same row when the producer is upgraded.
        coalesce(fields.database_name, get_json_object(fields.database, '$.name')) as database_of_change
    from {{ ref('stg_sequin__fields') }} as fields
    {{ cdc_table_settings_join("'sequin'", 'fields.table_name') }}
),

-- Every event with the columns whose value was not sent, and with what says which row it is of.
with_columns as (
    select
        *,
        -- TOAST of an update, and nulls that may stand for no value: a delete under the default identity holds its key
        -- alone, and a read has no value of a type that JSON lacks.
        case
            when action = 'update' and contains(record, '"unchanged_toast"')
                then map_keys(map_filter(
                    from_json(record, 'map<string, string>'), (name, value) -> value = 'unchanged_toast'
                ))
            when action in ('delete', 'read') and contains(record, ':null')
                then array_except(
                    map_keys(map_filter(from_json(record, 'map<string, string>'), (name, value) -> value is null)),
                    coalesce(configured_key_columns, cast(array() as array<string>))
                )
        end as columns_without_value,
        case
            when size(record_pks) = 0 then null
            when array_contains(record_pks, 'unchanged_toast') then array(cast(null as string))
            else record_pks
        end as key_values_sent,
        -- Where nothing names the key: for each of its values, the columns of the record that hold it.
        case
            when action = 'update' and old_values is not null and configured_key_columns is null
                then transform(
                    record_pks,
                    key_value -> map_keys(map_filter(
                        from_json(record, 'map<string, string>'), (name, value) -> value = key_value
                    ))
                )
        end as columns_of_key_values
    from configured
),

-- Every event with its image: the record without the columns whose value was not sent.
with_image as (
    select
        *,
        case
            when coalesce(size(columns_without_value), 0) = 0 or action = 'read'
                then record
            when action = 'delete' and replica_identity = 'full'
                then record
            when action = 'delete'
                then {{ cdc_json_omit('record', 'columns_without_value', 'null') }}
            else {{ cdc_json_omit('record', 'columns_without_value', '"unchanged_toast"') }}
        end as image,
        -- The key that the update found its row under: a column is the key's where it alone holds the value.
        case
            when size(columns_of_key_values) > 0 and not exists(columns_of_key_values, names -> size(names) <> 1)
                then transform(
                    columns_of_key_values,
                    (names, index) -> coalesce(
                        try_element_at(from_json(old_values, 'map<string, string>'), names[0]), key_values_sent[index]
                    )
                )
        end as key_values_before_sent,
        coalesce(
            exists(
                columns_of_key_values,
                names -> size(names) = 0
                or (size(names) > 1 and arrays_overlap(names, json_object_keys(old_values)))
            ),
            false
        ) as may_have_an_old_key
    from with_columns
),

-- Every event with the reason why it is no change; null for a change.
validated as (
    select
        *,
        case
            when envelope_reason is not null then envelope_reason
            when event is null then 'TOMBSTONE'
            when not is_json_object
                then if({{ cdc_is_one_json_value('event') }}, 'NOT_A_CHANGE', 'NOT_JSON')
            when coalesce(record, table_name) is null then 'NOT_A_CHANGE'
            when coalesce(action, table_name) is null then 'NOT_A_CHANGE'
            when action is null then 'UNKNOWN_OPERATION'
            when action not in ('insert', 'update', 'delete', 'read') then 'UNKNOWN_OPERATION'
            when coalesce(table_schema, '') = '' then 'MISSING_TABLE'
            when coalesce(table_name, '') = '' then 'MISSING_TABLE'
            when action <> 'delete' and coalesce(record, '{}') = '{}' then 'MISSING_IMAGE'
            -- Without a key, configured or sent, a delete waits for one like every other change of its table.
            when
                coalesce(image, '{}') = '{}' and key_values_sent is null and configured_key_columns is not null
                then 'MISSING_KEY_IMAGE'
            when lsn is null and (commit_lsn is not null or action <> 'read') then 'BAD_POSITION'
            when lsn_index is null and index_sent is not null then 'BAD_POSITION'
            when event_at is null and commit_timestamp is not null then 'BAD_TIME'
        end as reason
    from with_image
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
    event,
    {{ cdc_status('reason') }} as status,
    reason,
    case
        when reason is not null
            then to_json(struct(
                action,
                table_schema as schema_name,
                table_name,
                commit_lsn,
                index_sent as commit_idx,
                commit_timestamp
            ))
    end as reason_detail,
    {{ cdc_identity([
        "if(action = 'read', 'read', 'change')",
        'database_of_change',
        'table_schema',
        'table_name',
        "if(action = 'read', coalesce(idempotency_key, md5(content_sent)), lsn)",
        "if(action = 'read', commit_timestamp, coalesce(lsn_index, md5(content_sent)))",
    ]) }} as vendor_identity,
    content_sent,
    database_of_change as database_name,
    table_schema as schema_name,
    table_name,
    case
        when action = 'read' then 'snapshot'
        when action in ('insert', 'update', 'delete') then action
    end as operation,
    key_values_sent,
    key_values_before_sent,
    case action
        when 'update' then old_values
        when 'delete' then image
    end as before,
    case when action <> 'delete' then image end as after,
    case
        when action = 'update' and old_values is not null then 'changed'
        when action <> 'delete' or image is null then 'none'
        when replica_identity = 'default' then 'key'
        when not replica_identity <=> 'full' and size(columns_without_value) > 0 then 'unknown'
        else 'full'
    end as before_image,
    case
        when action = 'delete' or image is null then 'none'
        when action = 'update' and size(columns_without_value) > 0 then 'partial'
        else 'full'
    end as after_image,
    case when action = 'update' then json_object_keys(old_values) end as changed_columns,
    -- A record holds every column of the table: one whose value was not sent says so.
    case when after_image = 'partial' then json_object_keys(record) end as row_columns,
    concat(lsn, coalesce(concat('/', lsn_index), '')) as position,
    case when action <> 'read' then event_at end as committed_at,
    case when action = 'read' then event_at end as snapshot_at,
    try_cast(index_sent as bigint) as transaction_index,
    idempotency_key as message_id,
    {{ cdc_json_object({
        'transaction_annotations': cdc_json_value_as_sent('event', 'transaction_annotations', 'transaction_annotations'),
        'enrichment': cdc_json_value_as_sent('event', 'enrichment', 'enrichment'),
        'consumer': 'consumer',
        'database': 'database',
    }) }} as metadata,
    {{ cdc_warnings({
        'NULL_MAY_BE_UNKNOWN': "size(columns_without_value) > 0 and (action = 'read' or before_image = 'unknown')",
        'KEY_CHANGE_WITHOUT_OLD_KEY': 'may_have_an_old_key',
        'NUMBER_KEPT_AS_TEXT': 'has_number_as_text',
    }) }} as warnings
from validated

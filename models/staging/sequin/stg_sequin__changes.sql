with parsed as (
    select
        *,
        {{ cdc_json_columns(
            'event', 'sent', 'record string, changes string, action string, metadata map<string,string>',
            objects=['$', '$.record', '$.changes', '$.metadata', '$.metadata.consumer', '$.metadata.database'],
            types={
                'record': 'object', 'changes': 'object', 'metadata': 'object', 'metadata.record_pks': 'list',
                'metadata.table_schema': 'text', 'metadata.table_name': 'text',
            }
        ) }}
    from {{ ref('stg_sequin__events') }}
),

fields as (
    select
        {{ cdc_transport_columns() }},
        event,
        envelope_reason,
        has_number_as_text or sent_has_number_as_text as has_number_as_text,
        sent_problem,
        sent_wrong_types,
        sent.action,
        -- The older field first: a row stays the same row when the producer is upgraded.
        coalesce(
            sent.metadata['database_name'], get_json_object(sent.metadata['database'], '$.name')
        ) as database_name,
        sent.metadata['table_schema'] as schema_name,
        sent.metadata['table_name'] as table_name,
        sent.metadata['idempotency_key'] as idempotency_key,
        sent.metadata['commit_timestamp'] as commit_timestamp,
        sent.metadata['commit_lsn'] as commit_lsn,
        -- An idempotency_key is base64 of `<commit_lsn>:<commit_idx>`; in May 2025 the index stood there alone.
        cast(try_to_binary(sent.metadata['idempotency_key'], 'base64') as string) as place_in_key,
        coalesce(
            sent.metadata['commit_idx'],
            if(startswith(place_in_key, concat(commit_lsn, ':')), nullif(split_part(place_in_key, ':', 2), ''), null)
        ) as commit_idx,
        {{ sequin_key_values("sent.metadata['record_pks']") }} as key_values_sent,
        {{ cdc_json_member('sent', 'record') }} as record,
        nullif({{ cdc_json_member('sent', 'changes') }}, '{}') as old_values,
        {{ sequin_metadata_columns('sent.metadata', 'sent_document', 'sent_is_inexact') }}
    from parsed
),

configured as (
    select
        fields.*,
        {{ cdc_settings_of('fields.source', 'fields.schema_name') }} as table_settings,
        table_settings.replica_identity as replica_identity,
        table_settings.key_columns as key_columns,
        {{ sequin_empty_columns('fields.action', 'fields.record', 'key_columns') }} as empty_columns,
        case when fields.commit_lsn rlike '^[0-9]{1,20}$' then lpad(fields.commit_lsn, 20, '0') end as lsn,
        case when fields.commit_idx rlike '^[0-9]{1,20}$' then lpad(fields.commit_idx, 20, '0') end as lsn_index,
        {{ cdc_utc_timestamp('fields.commit_timestamp') }} as event_time,
        concat(
            '{"record":', coalesce(fields.record, 'null'), ',"changes":', coalesce(fields.old_values, 'null'), '}'
        ) as content_sent
    from fields
    {{ cdc_table_settings_join("'sequin'", 'fields.table_name') }}
),

images as (
    select
        *,
        case
            when coalesce(size(empty_columns), 0) = 0 or action = 'read' then record
            when action = 'delete' and replica_identity = 'full' then record
            when action = 'delete' then {{ cdc_json_without_members('record', 'empty_columns', 'null') }}
            else {{ cdc_json_without_members('record', 'empty_columns', '"unchanged_toast"') }}
        end as image
    from configured
),

validated as (
    select
        *,
        case
            when envelope_reason is not null then envelope_reason
            when event is null then 'TOMBSTONE'
            when sent_problem is not null then sent_problem
            when coalesce(record, table_name) is null or coalesce(action, table_name) is null then 'NOT_A_CHANGE'
            when sent_wrong_types is not null then 'WRONG_TYPE'
            when action is null or action not in ('insert', 'update', 'delete', 'read') then 'UNKNOWN_OPERATION'
            when coalesce(schema_name, '') = '' or coalesce(table_name, '') = '' then 'MISSING_TABLE'
            when action <> 'delete' and coalesce(record, '{}') = '{}' then 'MISSING_IMAGE'
            when coalesce(image, '{}') = '{}' and key_values_sent is null then 'MISSING_KEY_IMAGE'
            when lsn is null and (commit_lsn is not null or action <> 'read') then 'BAD_POSITION'
            when lsn_index is null and commit_idx is not null then 'BAD_POSITION'
            when event_time is null and commit_timestamp is not null then 'BAD_TIME'
        end as reason
    from images
)

select
    {{ cdc_transport_columns() }},
    event,
    {{ cdc_status('reason') }} as status,
    reason,
    {{ cdc_reason_detail(
        'reason', 'sent_wrong_types', 'action, schema_name, table_name, commit_lsn, commit_idx, commit_timestamp'
    ) }} as reason_detail,
    to_json(array(
        if(action = 'read', 'read', 'change'), database_name, schema_name, table_name,
        if(action = 'read', coalesce(idempotency_key, md5(content_sent)), lsn),
        if(action = 'read', commit_timestamp, coalesce(lsn_index, md5(content_sent)))
    )) as vendor_identity,
    content_sent,
    database_name,
    schema_name,
    table_name,
    case
        when action = 'read' then 'snapshot'
        when action in ('insert', 'update', 'delete') then action
    end as operation,
    key_values_sent,
    case action when 'update' then old_values when 'delete' then image end as before,
    case when action <> 'delete' then image end as after,
    case
        when action = 'update' and old_values is not null then 'changed'
        when action <> 'delete' or image is null then 'none'
        when replica_identity = 'default' then 'key'
        when not replica_identity <=> 'full' and size(empty_columns) > 0 then 'unknown'
        else 'full'
    end as before_image,
    case
        when action = 'delete' or image is null then 'none'
        when action = 'update' and size(empty_columns) > 0 then 'partial'
        else 'full'
    end as after_image,
    case when action = 'update' then json_object_keys(old_values) end as changed_columns,
    -- A record holds every column of the table: one whose value was not sent says so.
    case when after_image = 'partial' then json_object_keys(record) end as row_columns,
    concat(lsn, coalesce(concat('/', lsn_index), '')) as position,
    case when action <> 'read' then event_time end as committed_at,
    case when action = 'read' then event_time end as snapshot_at,
    try_cast(commit_idx as bigint) as transaction_index,
    idempotency_key as message_id,
    case when reason is null then metadata end as metadata,
    {{ cdc_warnings({
        'NULL_MAY_BE_UNKNOWN': "size(empty_columns) > 0 and (action = 'read' or before_image = 'unknown')",
        'NUMBER_KEPT_AS_TEXT': 'has_number_as_text',
    }) }} as warnings
from validated

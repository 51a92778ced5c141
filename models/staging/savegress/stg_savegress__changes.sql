-- Every event with its operation, its time, its key as Kafka carried it, and the fields of its position.
with opened as (
    select
        * except (before, after),
        -- An empty image says as little as a missing one.
        nullif(before, '{}') as row_before,
        nullif(after, '{}') as row_after,
        -- A position is the text of an LSN, or an object whose fields depend on the engine.
        from_json(
            if(startswith(position_sent, '{'), position_sent, to_json(struct(position_sent as lsn))),
            'lsn string, sequence string, `file` string, position string, gtid string, resume_token string,'
            || ' cluster_time struct<t: string, i: string>'
        ) as position_fields,
        case
            when time_sent is not null then {{ cdc_utc_timestamp('time_sent') }}
            -- Of more digits, or less than 0, Spark makes a timestamp that no client can read, or stops.
            when header_milliseconds is not null
                then timestamp_millis(cast(regexp_substr(header_milliseconds, '^[0-9]{1,14}$') as bigint))
            else timestamp_seconds(cast(regexp_substr(header_seconds, '^[0-9]{1,11}$') as bigint))
        end as event_at,
        case when not is_in_batch then {{ savegress_key_text('key', 'schema_name', 'table_name') }} end as key_text,
        {{ savegress_operation('operation_sent', 'ddl_type', savegress_statement('ddl_command')) }} as operation
    from {{ ref('stg_savegress__fields') }}
),

-- Every event with its position, `<commit>/<sequence>` as text that sorts. Each engine has widths of its own.
with_position as (
    select
        *,
        case
            when position_fields.lsn is not null
                then {{ cdc_postgres_lsn('position_fields.lsn') }}
            when position_fields.`file` rlike '[^0-9][0-9]{1,10}$' and position_fields.position rlike '^[0-9]{1,20}$'
                then concat(
                    lpad(regexp_extract(position_fields.`file`, '([0-9]+)$', 1), 10, '0'),
                    '.',
                    lpad(position_fields.position, 20, '0')
                )
            when
                position_fields.cluster_time.t rlike '^[0-9]{1,10}$'
                and position_fields.cluster_time.i rlike '^[0-9]{1,10}$'
                then concat(
                    lpad(position_fields.cluster_time.t, 10, '0'),
                    '.',
                    lpad(position_fields.cluster_time.i, 10, '0')
                )
        end as commit_position,
        case
            when position_fields.sequence is null then '00000000000000000000'
            when position_fields.sequence rlike '^[0-9]{1,20}$' then lpad(position_fields.sequence, 20, '0')
        end as sequence,
        concat(commit_position, '/', sequence) as position,
        operation in ('insert', 'update', 'delete', 'snapshot') as is_row_event
    from opened
),

-- Every event with the verdict on its signature and the settings of its table.
configured as (
    select
        with_position.*,
        signatures.verdict,
        signatures.reason as signature_reason,
        {{ cdc_settings_of('with_position.source', 'with_position.schema_name') }} as table_settings,
        table_settings.key_columns as configured_key_columns,
        table_settings.replica_identity <=> 'full' as is_whole_row
    from with_position
    left join {{ ref('stg_savegress__signatures') }} as signatures
        on with_position.delivery = signatures.delivery and with_position.signature <=> signatures.signature
    {{ cdc_table_settings_join("'savegress'", 'with_position.table_name') }}
),

-- Every event with the reason why it is no change, null for a change; and with what it holds or ends.
validated as (
    select
        *,
        case
            when signature_reason is not null then signature_reason
            when envelope_reason is not null then envelope_reason
            when event is null then 'TOMBSTONE'
            when not is_json_object
                then if({{ cdc_is_one_json_value('event') }}, 'NOT_A_CHANGE', 'NOT_JSON')
            when coalesce(operation_sent, row_before, row_after, table_name) is null then 'NOT_A_CHANGE'
            when operation is null then 'UNKNOWN_OPERATION'
            when table_name is null and (is_row_event or operation = 'truncate') then 'MISSING_TABLE'
            when operation in ('insert', 'update', 'snapshot') and row_after is null then 'MISSING_IMAGE'
            when operation = 'delete' and row_before is null and key_text is null then 'MISSING_KEY_IMAGE'
            when event_at is null and time_sent is not null then 'BAD_TIME'
            -- The fields of an engine that is not documented say nothing about order.
            when
                position is null
                and coalesce(
                    position_fields.lsn,
                    position_fields.`file`,
                    position_fields.position,
                    position_fields.sequence,
                    position_fields.cluster_time.t,
                    position_fields.cluster_time.i
                ) is not null
                then 'BAD_POSITION'
            when
                operation in ('insert', 'update', 'delete', 'truncate')
                and position is null
                and event_at is null
                then 'NO_POSITION_NO_TIME'
        end as reason,
        case
            when is_row_event then {{ cdc_content(['row_before', 'row_after']) }}
            else to_json(struct(ddl_type, ddl_command))
        end as content_sent,
        -- What a change is known by that has no id: where it stands, and what it did.
        case
            when operation in ('begin', 'commit') then transaction_id
            when operation = 'heartbeat' then event_metadata
        end as control_identity,
        to_json(struct(
            if(lower(operation_sent) = 'upsert', operation_sent, null) as operation,
            event_type as `type`,
            source_type as source,
            position_fields.gtid,
            position_fields.resume_token,
            ddl_type,
            ddl_command
        )) as other_fields,
        case
            when operation = 'ddl'
                then {{ savegress_alter_table_actions(savegress_statement('ddl_command')) }}
        end as ddl_actions,
        {{ savegress_ended_columns('ddl_actions') }} as ended_columns
    from configured
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
    -- An event out of a batch keeps a batch of its own, so that it is read the same way should it wait.
    case
        when is_in_batch and envelope_reason is null
            then {{ cdc_json_object({
                '*fields': cdc_without_braces('batch_fields'),
                'events': "concat('[', event, ']')",
            }) }}
        else event
    end as event,
    {{ cdc_status('reason') }} as status,
    reason,
    case
        when reason is not null
            then to_json(struct(
                operation_sent,
                schema_name,
                table_name,
                position_sent,
                time_sent
            ))
    end as reason_detail,
    case
        when message_id is not null
            then {{ cdc_identity([
                'server', 'database_name', 'schema_name', 'table_name', "'id'", 'message_id',
            ]) }}
        else {{ cdc_identity([
            'server', 'database_name', 'schema_name', 'table_name', 'operation',
            'coalesce(position, string(event_at))', 'control_identity', 'sha2(content_sent, 256)',
        ]) }}
    end as vendor_identity,
    content_sent,
    database_name,
    schema_name,
    table_name,
    if(operation = 'drop', 'ddl', operation) as operation,
    -- The whole text is the value of a key of one column, which may hold commas.
    case
        when not is_row_event or key_text is null then null
        when size(configured_key_columns) = 1 then array(key_text)
        else split(key_text, ',')
    end as key_values_sent,
    case when operation in ('update', 'delete') then row_before end as before,
    case when operation in ('insert', 'update', 'snapshot') then row_after end as after,
    case
        when before is null then 'none'
        when is_whole_row then 'full'
        else 'unknown'
    end as before_image,
    case
        when after is null then 'none'
        when is_whole_row then 'full'
        else 'unknown'
    end as after_image,
    ended_columns,
    operation = 'drop' as ends_table,
    position,
    case when operation <> 'snapshot' then event_at end as committed_at,
    case when operation = 'snapshot' then event_at end as snapshot_at,
    transaction_id,
    case when operation = 'commit' then true end as is_transaction_end,
    message_id,
    {{ cdc_json_object({
        '*fields': cdc_without_braces('other_fields'),
        'batch': "nullif(batch_fields, '{}')",
        'metadata': 'event_metadata',
    }) }} as metadata,
    {{ cdc_warnings({
        'NO_POSITION': "operation in ('insert', 'update', 'delete', 'truncate') and position is null",
        'SIGNATURE_MISSING': "verdict = 'missing'",
        'SIGNATURE_NOT_CHECKED': "verdict = 'not_checked'",
        'KEY_OF_ANOTHER_TABLE': "is_row_event and not is_in_batch and key_text is null and contains(key, ':')",
        'TRUNCATE_OF_MORE_TABLES': "operation in ('truncate', 'drop') and contains(ddl_command, ',')",
        'NEWER_PRODUCER': "connector_version not rlike '^1([.]|$)'",
        'NUMBER_KEPT_AS_TEXT': 'has_number_as_text',
    }) }} as warnings
from validated

with messages as (
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
        envelope,
        fault,
        event_text,
        batch_fields,
        element,
        signature,
        body_sha256
    from {{ ref('stg_savegress__messages') }}
),

signatures as (
    select
        body_sha256,
        signature,
        verdict
    from {{ ref('stg_savegress__signatures') }}
),

-- Objects and values are taken as text: images leave as they came.
events_read as (
    select
        messages.*,
        signatures.verdict,
        {{ savegress_object_keys('messages.event_text') }} as event_keys,
        from_json(
            messages.event_text,
            'id string, operation string, `type` string, source string, `schema` string, '
            || '`table` string, `timestamp` string, transaction_id string, position string, '
            || 'before string, after string, metadata string, ddl_type string, ddl_command string',
            map('allowSingleQuotes', 'false')
        ) as event
    from messages
    left join signatures
        on
            messages.body_sha256 = signatures.body_sha256
            and messages.signature <=> signatures.signature
),

objects_read as (
    select
        *,
        array_except(
            event_keys,
            array(
                'id', 'operation', 'type', 'source', 'schema', 'table', 'timestamp',
                'transaction_id', 'position', 'before', 'after', 'metadata', 'ddl_type',
                'ddl_command', '{{ savegress_end_mark() }}'
            )
        ) as unknown_keys,
        json_object_keys(event.before) as before_keys,
        json_object_keys(event.after) as after_keys,
        json_object_keys(event.metadata) as metadata_keys,
        from_json(
            event.metadata,
            'connector_version string, server string, database string, tx_id string, '
            || 'commit_ts string'
        ) as event_metadata,
        case
            when startswith(event.source, '{') then json_object_keys(event.source)
        end as source_keys,
        case
            when startswith(event.source, '{')
                then from_json(
                    event.source,
                    '`type` string, database string, `schema` string, `table` string, '
                    || 'position string'
                )
        end as source_object,
        -- Headers speak of one event, so they serve only a message that is one.
        case
            when envelope = 'single' and headers is not null
                then named_struct(
                    'id',
                    {{ savegress_header(
                        'headers', ['savegress-event-id', 'x-savegress-event-id']
                    ) }},
                    'operation',
                    {{ savegress_header(
                        'headers', ['savegress-operation', 'x-savegress-operation']
                    ) }},
                    'table',
                    {{ savegress_header('headers', ['savegress-table', 'x-savegress-table']) }},
                    'milliseconds',
                    {{ savegress_header('headers', ['savegress-timestamp']) }},
                    'seconds',
                    {{ savegress_header('headers', ['x-savegress-timestamp']) }}
                )
        end as header
    from events_read
),

fields_named as (
    select
        *,
        nullif(coalesce({{ cdc_unguarded('event.id') }}, header.id), '') as message_id,
        lower(trim(coalesce(event.operation, event.`type`, header.operation))) as operation_sent,
        coalesce(event_metadata.database, source_object.database) as database_name,
        coalesce(event.`schema`, source_object.`schema`) as schema_name,
        nullif(coalesce(event.`table`, source_object.`table`, header.`table`), '') as table_name,
        {{ cdc_unguarded('coalesce(event.transaction_id, event_metadata.tx_id)') }}
            as transaction_id,
        -- A long number of a position stands guarded here, inside an object's text or bare.
        nullif(
            replace(
                {{ cdc_unguarded(
                    'trim(coalesce(event.position, source_object.position))'
                ) }},
                '\\u0001cdc-number:',
                ''
            ),
            ''
        ) as position_sent,
        nullif(coalesce(event.`timestamp`, event_metadata.commit_ts), '') as time_sent
    from objects_read
),

positions_read as (
    select
        *,
        case
            when operation_sent = 'upsert' then 'update'
            when
                operation_sent = 'ddl'
                and (
                    event.ddl_type rlike '(?i)^\\s*truncate(?!.*partition)'
                    or event.ddl_command rlike '{{ savegress_truncate_command() }}'
                )
                then 'truncate'
            when
                operation_sent in (
                    'insert', 'update', 'delete', 'snapshot', 'truncate',
                    'ddl', 'begin', 'commit', 'heartbeat'
                )
                then operation_sent
        end as operation,
        case
            when time_sent is not null then {{ cdc_utc_timestamp('time_sent') }}
            when header.milliseconds rlike '^[0-9]{1,14}$'
                then timestamp_millis(cast(header.milliseconds as bigint))
            when header.seconds rlike '^[0-9]{1,11}$'
                then timestamp_seconds(cast(header.seconds as bigint))
        end as happened_at,
        -- The key of a Kafka message is `table:value,value`.
        case
            when envelope <> 'single' then null
            when startswith(`key`, concat(table_name, ':'))
                then split(nullif(substring(`key`, length(table_name) + 2), ''), ',')
            when startswith(`key`, concat(schema_name, '.', table_name, ':'))
                then split(
                    nullif(substring(`key`, length(schema_name) + length(table_name) + 3), ''), ','
                )
        end as key_values,
        case
            when startswith(position_sent, '{') then json_object_keys(position_sent)
        end as position_keys,
        case
            when startswith(position_sent, '{')
                then from_json(
                    position_sent,
                    'lsn string, sequence string, `file` string, position string, gtid string, '
                    || 'resume_token string, cluster_time string'
                )
        end as position_fields
    from fields_named
),

positions_written as (
    select
        *,
        {{ savegress_position(
            'position_sent', 'position_fields',
            "from_json(position_fields.cluster_time, 't string, i string')"
        ) }} as position,
        position_sent is not null
        and (
            not startswith(position_sent, '{')
            or coalesce(
                position_fields.lsn, position_fields.`file`, position_fields.position,
                position_fields.cluster_time, position_fields.sequence
            ) is not null
        ) as has_position
    from positions_read
),

judged as (
    select
        *,
        case
            when fault = 'TOMBSTONE' then fault
            when verdict = 'invalid' and stored_event is null then 'BAD_SIGNATURE'
            when fault is not null then fault
            when event_text is null then 'NOT_A_CHANGE'
            when try_element_at(event_keys, -1) is distinct from '{{ savegress_end_mark() }}'
                then case
                    when {{ cdc_is_json('event_text') }} then 'NOT_A_CHANGE'
                    else 'NOT_JSON'
                end
            when
                {{ savegress_has_repeats('event_keys') }}
                or {{ savegress_has_repeats('metadata_keys') }}
                or {{ savegress_has_repeats('source_keys') }}
                or {{ savegress_has_repeats('position_keys') }}
                or {{ savegress_has_repeats('before_keys') }}
                or {{ savegress_has_repeats('after_keys') }}
                then 'DUPLICATE_KEYS'
            -- Spark takes single quotes for double ones unless it is told not to.
            when
                coalesce(event.operation, event.`type`) is null
                and from_json(
                    event_text, 'map<string,string>', map('allowSingleQuotes', 'false')
                ) is null
                then 'NOT_JSON'
            when
                operation_sent is null
                and coalesce(event.before, event.after, event.`table`, source_object.`table`)
                is null
                then 'NOT_A_CHANGE'
            when operation is null then 'UNKNOWN_OPERATION'
            when {{ savegress_has_wrong_type() }} then 'WRONG_TYPE'
            when
                operation in ('insert', 'update', 'delete', 'snapshot', 'truncate')
                and table_name is null
                then 'MISSING_TABLE'
            when
                operation in ('insert', 'update', 'snapshot')
                and nullif(event.after, '{}') is null
                then 'MISSING_IMAGE'
            when
                operation = 'delete'
                and nullif(event.before, '{}') is null
                and key_values is null
                then 'MISSING_KEY_IMAGE'
            when time_sent is not null and happened_at is null then 'BAD_TIME'
            when has_position and position is null then 'BAD_POSITION'
            when
                operation in ('insert', 'update', 'delete', 'truncate')
                and position is null
                and happened_at is null
                then 'NO_POSITION_NO_TIME'
        end as reason
    from positions_written
),

images_written as (
    select
        judged.*,
        reason is null as is_change,
        operation in ('insert', 'update', 'delete', 'snapshot') as is_of_a_row,
        {{ cdc_restore_numbers('event.before') }} as before_sent,
        {{ cdc_restore_numbers('event.after') }} as after_sent,
        case
            when
                {{ cdc_table_setting('replica_identity', 'judged.source', 'judged.schema_name') }}
                = 'full'
                then 'full'
            else 'unknown'
        end as image
    from judged
    {{ cdc_table_settings_join("'savegress'", 'judged.table_name') }}
),

contents_written as (
    select
        *,
        case
            when is_of_a_row
                then concat(
                    '{"before":',
                    coalesce(before_sent, 'null'),
                    ',"after":',
                    coalesce(after_sent, 'null'),
                    '}'
                )
            else to_json(named_struct('ddl_type', event.ddl_type, 'ddl_command', event.ddl_command))
        end as content,
        case when is_change and operation in ('update', 'delete') then before_sent end as before,
        case
            when is_change and operation in ('insert', 'update', 'snapshot') then after_sent
        end as after,
        {{ savegress_reason_detail() }} as reason_detail,
        case when is_change then {{ savegress_metadata() }} end as metadata_guarded
    from images_written
),

final as (
    select
        -- message
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        `key`,
        headers,
        event_index,
        cast(null as int) as table_index,
        stored_event,
        element,
        -- outcome
        case
            when is_change then 'change'
            when reason in ('TOMBSTONE', 'EMPTY_ENVELOPE') then 'ignored'
            else 'rejected'
        end as outcome,
        reason,
        reason_detail,
        cast(null as string) as schema_scope,
        -- identity
        case
            when not is_change then null
            when message_id is not null
                then to_json(
                    array(
                        event_metadata.server, database_name, schema_name, table_name,
                        'id', message_id
                    )
                )
            else to_json(
                array(
                    event_metadata.server, database_name, schema_name, table_name,
                    operation, coalesce(position, cast(happened_at as string)),
                    case when operation in ('begin', 'commit') then transaction_id end,
                    case when operation = 'heartbeat' then event.metadata end,
                    sha2(content, 256)
                )
            )
        end as vendor_identity,
        case when is_change then content end as content_sent,
        database_name,
        schema_name,
        table_name,
        operation,
        -- key
        cast(null as array<string>) as key_columns_sent,
        case when is_of_a_row then key_values end as key_values_sent,
        cast(null as array<string>) as key_values_before_sent,
        -- images
        before,
        after,
        case when before is not null then image else 'none' end as before_image,
        case when after is not null then image else 'none' end as after_image,
        cast(null as array<string>) as changed_columns,
        -- order
        position,
        case when operation <> 'snapshot' then happened_at end as committed_at,
        case when operation = 'snapshot' then happened_at end as snapshot_at,
        transaction_id,
        cast(null as bigint) as transaction_index,
        case when operation = 'commit' then true end as is_transaction_end,
        -- rest
        message_id,
        cast(null as string) as schema_id,
        {{ cdc_restore_numbers('metadata_guarded') }} as metadata,
        case
            when is_change
                -- Leaves out the nulls; a lambda would cost more than all the rest.
                then array_except(
                    array(
                        case
                            when
                                operation in ('insert', 'update', 'delete', 'truncate')
                                and position is null
                                then 'NO_POSITION'
                        end,
                        case verdict
                            when 'missing' then 'SIGNATURE_MISSING'
                            when 'not_checked' then 'SIGNATURE_NOT_CHECKED'
                        end,
                        case
                            when
                                is_of_a_row
                                and envelope = 'single'
                                and key_values is null
                                and contains(`key`, ':')
                                then 'KEY_OF_ANOTHER_TABLE'
                        end,
                        case
                            when operation = 'truncate' and event.ddl_command like '%,%'
                                then 'TRUNCATE_OF_MORE_TABLES'
                        end,
                        case
                            when event_metadata.connector_version not rlike '^1([.]|$)'
                                then 'NEWER_PRODUCER'
                        end,
                        case
                            when {{ cdc_has_number_kept_as_text('event_text') }}
                                then 'NUMBER_KEPT_AS_TEXT'
                        end
                    ),
                    array(cast(null as string))
                )
        end as warnings
    from contents_written
)

select * from final

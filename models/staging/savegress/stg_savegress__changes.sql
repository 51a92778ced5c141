with parsed as (
    select
        *,
        {{ cdc_json_columns(
            'event_text', 'sent',
            'id string, operation string, `type` string, source string, `schema` string, `table` string, `timestamp` string,'
            ~ ' transaction_id string, position string, before string, after string, metadata string, ddl_type string,'
            ~ ' ddl_command string',
            objects=['$', '$.source', '$.position', '$.before', '$.after', '$.metadata'],
            types={
                'id': 'scalar', 'transaction_id': 'scalar', 'table': 'text', 'schema': 'text', 'source.table': 'text',
                'source.schema': 'text', 'source': 'object or scalar', 'before': 'object', 'after': 'object',
                'metadata': 'object',
            }
        ) }}
    from {{ ref('stg_savegress__events') }}
),

opened as (
    select
        * except (event_text, sent_problem, has_number_as_text, sent_has_number_as_text),
        case when event_text is null then 'NOT_A_CHANGE' else sent_problem end as sent_problem,
        has_number_as_text or sent_has_number_as_text as has_number_as_text,
        -- Headers speak of one event, so they serve only a message that is one.
        case when not is_in_batch then {{ savegress_headers('headers') }} end as header,
        coalesce(sent.operation, sent.`type`, header.operation) as operation_sent,
        from_json(
            sent.metadata, 'connector_version string, server string, database string, tx_id string, commit_ts string'
        ) as said,
        if(startswith(sent.source, '{'), from_json(
            sent.source, '`type` string, database string, `schema` string, `table` string, position string'
        ), null) as source_fields,
        nullif(trim(coalesce(sent.position, source_fields.position)), '') as position_sent,
        if(startswith(position_sent, '{'), from_json(
            position_sent,
            'lsn string, sequence string, `file` string, position string, gtid string, resume_token string,'
            || ' cluster_time struct<t string, i string>'
        ), null) as position_fields,
        case
            when lower(trim(operation_sent)) = 'ddl' then {{ savegress_statement('sent.ddl_command') }}
        end as ddl_statement,
        {{ savegress_operation('operation_sent', 'sent.ddl_type', 'ddl_statement') }} as operation,
        case when operation = 'ddl' then {{ savegress_alter_table_actions('ddl_statement') }} end as ddl_actions,
        {{ savegress_ended_columns('ddl_actions') }} as ended_columns,
        nullif(coalesce(sent.id, header.id), '') as message_id,
        coalesce(said.database, source_fields.database) as database_name,
        coalesce(sent.`schema`, source_fields.`schema`) as schema_name,
        nullif(coalesce(sent.`table`, source_fields.`table`, header.`table`), '') as table_name,
        coalesce(sent.transaction_id, said.tx_id) as transaction_id,
        nullif(coalesce(sent.`timestamp`, said.commit_ts), '') as time_sent,
        nullif({{ cdc_json_member('sent', 'before') }}, '{}') as before_sent,
        nullif({{ cdc_json_member('sent', 'after') }}, '{}') as after_sent
    from parsed
),

fields as (
    select
        * except (ddl_statement, ddl_actions),
        said.connector_version not rlike '^1([.]|$)' as is_of_newer_producer,
        operation in ('truncate', 'drop') and contains(sent.ddl_command, ',') as names_more_tables,
        {{ savegress_position('position_sent', 'position_fields') }} as position,
        -- Fields of an engine that is not documented say nothing about order.
        coalesce(
            position_fields.lsn, position_fields.`file`, position_fields.position, position_fields.sequence,
            string(position_fields.cluster_time), if(position_fields is null, position_sent, null)
        ) is not null as carries_order,
        case
            when time_sent is not null then {{ cdc_utc_timestamp('time_sent') }}
            when header.milliseconds is not null then timestamp_millis(try_cast(header.milliseconds as bigint))
            else timestamp_seconds(try_cast(header.seconds as bigint))
        end as event_time,
        case when not is_in_batch then {{ savegress_key_text('key', 'schema_name', 'table_name') }} end as key_text,
        operation in ('insert', 'update', 'delete', 'snapshot') as is_of_a_row,
        operation in ('insert', 'update', 'delete', 'truncate') as is_placed,
        if(
            is_of_a_row,
            concat('{"before":', coalesce(before_sent, 'null'), ',"after":', coalesce(after_sent, 'null'), '}'),
            to_json(named_struct('ddl_type', sent.ddl_type, 'ddl_command', sent.ddl_command))
        ) as content,
        to_json(concat(array(said.server, database_name, schema_name, table_name), if(
            message_id is not null, array('id', message_id), array(
                operation, coalesce(position, string(event_time)),
                if(operation in ('begin', 'commit'), transaction_id, null),
                if(operation = 'heartbeat', sent.metadata, null), sha2(content, 256)
            )
        ))) as identity,
        {{ savegress_metadata_columns(
            'sent', 'operation_sent', 'position_sent', 'source_fields', 'position_fields', 'sent_document', 'batch_fields'
        ) }}
    from opened
),

validated as (
    select
        fields.*,
        signatures.verdict,
        {{ cdc_settings_of('fields.source', 'fields.schema_name') }} as table_settings,
        table_settings.replica_identity <=> 'full' as sends_whole_rows,
        size(table_settings.key_columns) = 1 as has_one_key_column,
        case
            when signatures.reason is not null then signatures.reason
            when envelope_reason is not null then envelope_reason
            when sent_problem is not null then sent_problem
            when coalesce(operation_sent, before_sent, after_sent, fields.table_name) is null then 'NOT_A_CHANGE'
            when operation is null then 'UNKNOWN_OPERATION'
            when sent_wrong_types is not null then 'WRONG_TYPE'
            when (is_of_a_row or operation = 'truncate') and fields.table_name is null then 'MISSING_TABLE'
            when operation in ('insert', 'update', 'snapshot') and after_sent is null then 'MISSING_IMAGE'
            when operation = 'delete' and before_sent is null and key_text is null then 'MISSING_KEY_IMAGE'
            when time_sent is not null and event_time is null then 'BAD_TIME'
            when position is null and carries_order then 'BAD_POSITION'
            when is_placed and coalesce(position, string(event_time)) is null then 'NO_POSITION_NO_TIME'
        end as reason
    from fields
    left join {{ ref('stg_savegress__signatures') }} as signatures
        on fields.delivery = signatures.delivery and fields.signature <=> signatures.signature
    {{ cdc_table_settings_join("'savegress'", 'fields.table_name') }}
)

select
    {{ cdc_transport_columns() }},
    event,
    {{ cdc_status('reason') }} as status,
    reason,
    {{ cdc_reason_detail(
        'reason', 'sent_wrong_types', 'operation_sent, schema_name, table_name, position_sent, time_sent'
    ) }} as reason_detail,
    case when reason is null then identity end as vendor_identity,
    case when reason is null then content end as content_sent,
    database_name,
    schema_name,
    table_name,
    if(operation = 'drop', 'ddl', operation) as operation,
    -- The whole text is the value of a key of one column, which may hold commas.
    case
        when not is_of_a_row or key_text is null then null
        when has_one_key_column then array(key_text)
        else split(key_text, ',')
    end as key_values_sent,
    case when operation in ('update', 'delete') then before_sent end as before,
    case when operation in ('insert', 'update', 'snapshot') then after_sent end as after,
    if(before is null, 'none', if(sends_whole_rows, 'full', 'unknown')) as before_image,
    if(after is null, 'none', if(sends_whole_rows, 'full', 'unknown')) as after_image,
    ended_columns,
    operation = 'drop' as ends_table,
    position,
    case when operation <> 'snapshot' then event_time end as committed_at,
    case when operation = 'snapshot' then event_time end as snapshot_at,
    transaction_id,
    case when operation = 'commit' then true end as is_transaction_end,
    message_id,
    metadata,
    {{ cdc_warnings({
        'NO_POSITION': 'is_placed and position is null',
        'SIGNATURE_MISSING': "verdict = 'missing'",
        'SIGNATURE_NOT_CHECKED': "verdict = 'not_checked'",
        'KEY_OF_ANOTHER_TABLE': "is_of_a_row and not is_in_batch and key_text is null and contains(key, ':')",
        'TRUNCATE_OF_MORE_TABLES': 'names_more_tables',
        'NEWER_PRODUCER': 'is_of_newer_producer',
        'NUMBER_KEPT_AS_TEXT': 'has_number_as_text',
    }) }} as warnings
from validated

{%- set body_document = 'try_variant_get(sent_document, body_path)' %}
with messages as (
    select
        {{ cdc_transport_columns() }},
        {{ cdc_json_body('value') }} as body
    from {{ cdc_messages('qlik') }}
),

-- One row per event: a message that is a list of messages is taken apart. Lists stand apart, since taking them apart
-- costs every message a copy of its row.
events as (
    select
        {{ cdc_transport_columns('coalesce(event_index, 0)') }},
        body as event
    from messages
    where not coalesce(startswith(body, '['), false)
    union all
    select
        {{ cdc_transport_columns('coalesce(event_index, position_in_list)') }},
        event
    from messages
        lateral view posexplode({{ cdc_json_list_items('body') }}) as position_in_list, event
    where startswith(body, '[')
),

parsed as (
    select
        {{ cdc_transport_columns() }},
        event,
        {{ cdc_json_columns(
            'event', 'sent',
            'magic string, `type` string, headers string, `messageSchemaId` string, `messageSchema` string,'
            ~ ' message map<string,string>',
            objects=qlik_objects(),
            types={
                'message': 'object', 'message.data': 'object', 'message.beforeData': 'object', 'data': 'object',
                'beforeData': 'object',
            }
        ) }}
    from events
),

-- A message without envelope is its own body.
opened as (
    select
        * except (sent),
        sent.message is null as is_bare,
        if(is_bare, '$[0]', '$[0].message') as body_path,
        if(is_bare, from_json(event, 'map<string,string>'), sent.message) as body,
        {{ qlik_headers('body') }} as header,
        sent.magic,
        sent.`type` as message_type,
        nullif(sent.`messageSchemaId`, '') as message_schema_id,
        sent.`messageSchema` as message_schema,
        if(is_bare, null, sent.headers) as envelope_headers,
        from_json(body['lineage'], 'map<string,string>') as lineage,
        case
            when message_type = 'MD' or coalesce(body['tableStructure'], body['tableColumns']) is not null
                then {{ qlik_schema_message('body', 'lineage', 'message_schema_id') }}
        end as declared
    from parsed
),

fields as (
    select
        * except (
            body, body_path, header, lineage, sent_document, sent_is_inexact, sent_safe_text, sent_has_number_as_text,
            envelope_headers, is_bare, magic, message_type, message_schema_id, message_schema
        ),
        sent_has_number_as_text as has_number_as_text,
        body['headers'] is not null and header is null as are_headers_wrong,
        declared is not null and declared.columns is null as are_columns_wrong,
        magic <> 'atMSG' or message_type not in ('DT', 'MD') as is_of_newer_producer,
        {{ cdc_exact_json(body_document, '$.data', "body['data']", 'sent_is_inexact') }} as data,
        {{ cdc_exact_json(body_document, '$.beforeData', "body['beforeData']", 'sent_is_inexact') }} as before_data,
        nullif(header['operation'], '') as operation_sent,
        nullif(header['changeSequence'], '') as change_sequence,
        nullif(header['timestamp'], '') as time_sent,
        {{ cdc_utc_timestamp('time_sent') }} as happened_at,
        nullif(header['transactionId'], '') as transaction_id,
        nullif(header['changeMask'], '') as change_mask,
        nullif(header['columnMask'], '') as column_mask,
        nullif(header['transactionEventCounter'], '') as counter_sent,
        nullif(header['transactionLastEvent'], '') as end_sent,
        if(
            declared is null,
            coalesce(message_schema_id, nullif(header['externalSchemaId'], '')),
            declared.schema_id
        ) as schema_id_sent,
        nullif(coalesce(
            declared.schema_name, body['schema'], body['schemaName'], header['schema'], header['schemaName']
        ), '') as schema_in_message,
        nullif(coalesce(
            declared.table_name, body['table'], body['tableName'], header['table'], header['tableName']
        ), '') as table_in_message,
        {{ qlik_metadata_columns(
            {
                'magic': 'magic',
                'lineage': 'declared.lineage',
                'table_version': 'declared.table_version',
                'columns': 'declared.columns',
                'streamPosition': "nullif(header['streamPosition'], '')",
                'changeMask': 'change_mask',
                'columnMask': 'column_mask',
                'externalSchemaId': "if(message_schema_id is null, null, nullif(header['externalSchemaId'], ''))",
                'timestamp': 'if(happened_at is null, time_sent, null)',
                'messageSchema': 'message_schema',
                'envelope_headers': 'envelope_headers',
            },
            'header', 'body', 'sent_document', body_document, 'is_bare'
        ) }}
    from opened
),

described as (
    select
        *,
        case
            when declared is not null then 'schema'
            when upper(operation_sent) = 'REFRESH' then 'snapshot'
            when upper(operation_sent) in ('INSERT', 'UPDATE', 'DELETE') then lower(operation_sent)
        end as operation,
        -- The row of a delete is sent as data or as beforeData.
        if(operation = 'delete', coalesce(data, before_data), data) as image,
        size(json_object_keys(image)) as image_column_count,
        size(json_object_keys(before_data)) as before_column_count,
        try_cast(counter_sent as bigint) as transaction_index,
        try_cast(end_sent as boolean) as is_transaction_end,
        {{ qlik_injected_table('coalesce(data, before_data)') }} as table_injected,
        -- A topic `schema.table` names the table, unless it is a file's name (messages landed from files).
        if(
            topic rlike '^[^./\\s]+[.](?!(?i:jsonl?|ndjson|txt|csv|gz|log)$)[^./\\s]+$', topic, null
        ) as topic_of_table,
        nullif(
            concat_ws(
                ', ', sent_wrong_types, if(are_headers_wrong, 'headers', null),
                if(are_columns_wrong, 'tableColumns', null),
                if(counter_sent is not null and transaction_index is null, 'transactionEventCounter', null),
                if(end_sent is not null and is_transaction_end is null, 'transactionLastEvent', null)
            ), ''
        ) as wrong_types,
        case
            when operation in ('insert', 'update', 'delete') and change_sequence rlike '^[0-9]{1,35}$'
                then lpad(change_sequence, 35, '0')
        end as position
    from fields
)

select
    * except (
        sent_problem, sent_wrong_types, are_headers_wrong, are_columns_wrong, data, counter_sent,
        end_sent, table_injected, topic_of_table, known_fields, other_headers, other_fields,
        other_fields_of_envelope
    ),
    case
        when event is null then 'TOMBSTONE'
        when event rlike '^[\\[]\\s*[\\]]$' then 'EMPTY_ENVELOPE'
        when sent_problem is not null then sent_problem
        when operation = 'schema' and table_in_message is null then 'MISSING_TABLE'
        when wrong_types is not null then 'WRONG_TYPE'
        when operation_sent is null and operation is null then 'NOT_A_CHANGE'
        when operation is null then 'UNKNOWN_OPERATION'
        when operation = 'delete' and coalesce(image_column_count, 0) <= 0 then 'MISSING_KEY_IMAGE'
        when operation <> 'schema' and coalesce(image_column_count, 0) <= 0 then 'MISSING_IMAGE'
        when position is null and operation not in ('schema', 'snapshot') then 'BAD_POSITION'
    end as problem,
    if(table_in_message is null, table_injected, null) as table_in_row,
    substring_index(topic_of_table, '.', 1) as schema_in_topic,
    substring_index(topic_of_table, '.', -1) as table_in_topic,
    -- How the message itself names its table: this stays the same when a metadata message arrives later.
    to_json(case
        when table_in_message is not null then array('table', schema_in_message, table_in_message)
        when schema_id_sent is not null then array('schema', schema_id_sent)
        when table_injected is not null then array('table', null, table_injected)
        when topic_of_table is not null then array('table', schema_in_topic, table_in_topic)
    end) as table_sent
from described

{%- set unsent_columns_are_needed = 'not is_mask_complete and holds_null and unsent_columns is null' -%}
-- A message in the vendor's own layout is read by one typed parse and then written again: where that gives the text
-- that arrived (blanks aside), nothing is left to check but the keys of its rows.
-- Every other message is read with care.
with read_quickly as (
    select
        *,
        from_json(value, '{{ qlik_envelope_type() }}', map('maxNumLen', '38')) as quick
    from {{ ref('stg_qlik__messages') }}
),

written_again as (
    select
        *,
        {{ qlik_written_again('quick') }} as value_again
    from read_quickly
),

told_apart as (
    select
        *,
        coalesce(
            value = value_again or replace(value, ' ', '') = replace(value_again, ' ', ''),
            false
        ) as is_plain
    from written_again
),

with_body as (
    select
        *,
        coalesce(quick.message.headers, quick.headers) as quick_headers,
        case when not is_plain then {{ cdc_body('value') }} end as body
    from told_apart
),

with_fields as (
    select
        *,
        case when is_plain then {{ qlik_no_fields() }} else {{ qlik_fields('body') }} end as fields
    from with_body
),

with_named_fields as (
    select
        * except (fields),
        fields.top_fields as top_fields,
        fields.top_fields['message'] as message_text,
        fields.body_fields as body_fields,
        fields.header_fields as header_fields,
        fields.is_schema_message as is_schema_message
    from with_fields
),

with_images as (
    select
        *,
        case
            when is_plain then coalesce(quick.message.data, quick.data)
            else {{ cdc_restore_numbers("body_fields['data']") }}
        end as data,
        case
            when is_plain then coalesce(quick.message.`beforeData`, quick.`beforeData`)
            else {{ cdc_restore_numbers("body_fields['beforeData']") }}
        end as before_data,
        case
            when is_schema_message then {{ qlik_schema_message('body_fields', 'top_fields') }}
        end as schema_message
    from with_named_fields
),

with_image_keys as (
    select
        *,
        json_object_keys(data) as data_keys,
        json_object_keys(before_data) as before_data_keys,
        case when not is_plain then {{ qlik_further_fields() }} end as further_fields_guarded
    from with_images
),

as_told as (
    select
        -- transport
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
        value,
        -- soundness
        is_plain or {{ cdc_is_json('body') }} as is_json,
        is_plain or top_fields is not null as is_object,
        coalesce(size(data_keys) > size(array_distinct(data_keys)), false)
        or coalesce(size(before_data_keys) > size(array_distinct(before_data_keys)), false)
        or (
            not is_plain
            and {{ cdc_has_duplicate_keys(
                'body',
                ['body', 'message_text', "body_fields['headers']"] + qlik_schema_message_objects('body_fields')
            ) }}
        ) as has_duplicate_keys,
        (data is not null and data_keys is null)
        or (before_data is not null and before_data_keys is null)
        or not is_plain and (
            (message_text is not null and body_fields is null)
            or (body_fields['headers'] is not null and header_fields is null)
            or {{ qlik_is_no_object('data', 'data_keys', 'data') }}
            or {{ qlik_is_no_object('before_data', 'before_data_keys', 'beforeData') }}
        ) as has_wrong_type,
        -- envelope
        is_schema_message,
        case when is_plain then 'DT' else top_fields['type'] end as message_type,
        case
            when is_plain then case when quick.message is not null then 'atMSG' end
            else top_fields['magic']
        end as magic,
        nullif(
            case when is_plain then quick.`messageSchemaId` else top_fields['messageSchemaId'] end, ''
        ) as message_schema_id,
        case
            when not is_plain
                then coalesce(
                    body_fields['schema'], body_fields['schemaName'],
                    header_fields['schema'], header_fields['schemaName']
                )
        end as schema_sent,
        case
            when not is_plain
                then coalesce(
                    body_fields['table'], body_fields['tableName'],
                    header_fields['table'], header_fields['tableName']
                )
        end as table_sent,
        -- headers
        {{ qlik_header('operation') }} as operation_sent,
        {{ qlik_header('changeSequence', may_be_long=true) }} as change_sequence,
        {{ qlik_header('timestamp') }} as time_sent,
        {{ qlik_header('streamPosition') }} as stream_position,
        {{ qlik_header('transactionId', may_be_long=true) }} as transaction_id,
        {{ qlik_header('changeMask') }} as change_mask,
        {{ qlik_header('columnMask') }} as column_mask,
        {{ qlik_header('externalSchemaId') }} as external_schema_id,
        {{ qlik_header('transactionEventCounter') }} as event_counter_sent,
        {{ qlik_header('transactionLastEvent') }} as last_event_sent,
        -- payload
        data,
        before_data,
        size(data_keys) as data_key_count,
        size(before_data_keys) as before_data_key_count,
        schema_message,
        {{ cdc_restore_numbers('further_fields_guarded') }} as further_fields,
        not is_plain and {{ cdc_has_number_kept_as_text('body') }} as has_number_kept_as_text
    from with_image_keys
),

-- What the message itself tells of its table. A topic that is a file's name (messages landed from files) is no table.
named as (
    select
        *,
        upper(operation_sent) as operation_upper,
        case
            when is_schema_message then schema_message.schema_id
            else nullif(coalesce(message_schema_id, external_schema_id), '')
        end as schema_id_sent,
        nullif(schema_sent, '') as schema_in_message,
        nullif(table_sent, '') as table_in_message,
        case
            when table_sent is null then {{ qlik_injected_table('coalesce(data, before_data)') }}
        end as table_injected,
        case
            when
                topic rlike '^[^./\\s]+[.][^./\\s]+$'
                and not topic rlike '(?i)[.](jsonl?|ndjson|txt|csv|gz|log)$'
                then split(topic, '[.]')
        end as topic_parts,
        {{ cdc_utc_timestamp('time_sent') }} as happened_at,
        nullif(change_mask, '') as change_mask_sent,
        nullif(column_mask, '') as column_mask_sent
    from as_told
),

with_schema_key as (
    select
        *,
        case
            when is_schema_message then null
            when schema_id_sent is not null then {{ qlik_schema_key('schema_id_sent') }}
            when table_in_message is not null
                then {{ qlik_schema_key('null', 'schema_in_message', 'table_in_message') }}
            when table_injected is null
                then {{ qlik_schema_key('null', 'topic_parts[0]', 'topic_parts[1]') }}
        end as schema_key
    from named
),

with_schema as (
    select
        with_schema_key.*,
        {{ qlik_schema_in_force('schemas.table_schemas', 'schema_id_sent', 'happened_at') }} as schema_found
    from with_schema_key
    left join {{ ref('stg_qlik__schemas_in_force') }} as schemas
        on with_schema_key.source = schemas.source and with_schema_key.schema_key = schemas.schema_key
),

with_table as (
    select
        *,
        case
            when is_schema_message then schema_message.schema_name
            when table_in_message is not null
                then coalesce(
                    schema_in_message,
                    case when schema_found.table_name = table_in_message then schema_found.schema_name end
                )
            when schema_id_sent is not null and schema_found is not null then schema_found.schema_name
            when table_injected is null then topic_parts[0]
        end as schema_name,
        case
            when is_schema_message then schema_message.table_name
            when table_in_message is not null then table_in_message
            when schema_id_sent is not null and schema_found is not null then schema_found.table_name
            when table_injected is not null then table_injected
            else topic_parts[1]
        end as table_name
    from with_schema
),

configured as (
    select
        with_table.*,
        {{ cdc_table_setting('column_names', 'source', 'schema_name') }} as columns_configured,
        {{ cdc_table_setting('key_columns', 'source', 'schema_name') }} as key_configured
    from with_table
    {{ cdc_table_settings_join("'qlik'", 'with_table.table_name') }}
),

-- Where configuration tells both columns and key, a schema message that is only found by the table's name adds nothing.
with_columns as (
    select
        *,
        case
            when schema_id_sent is not null or columns_configured is null or key_configured is null
                then schema_found
        end as table_schema,
        schema_id_sent is null and schema_key is not null
        and (columns_configured is null or key_configured is null) as is_schema_found_by_name,
        coalesce(columns_configured, schema_found.column_names) as column_names
    from configured
),

with_masks as (
    select
        with_columns.*,
        named_struct(
            'ordinals', column_masks.ordinals, 'ordinal_count', column_masks.ordinal_count,
            'highest_ordinal', column_masks.highest_ordinal, 'byte_count', column_masks.byte_count
        ) as column_mask_read,
        named_struct(
            'ordinals', change_masks.ordinals,
            'highest_ordinal', change_masks.highest_ordinal, 'byte_count', change_masks.byte_count
        ) as change_mask_read,
        size(with_columns.column_names) as column_count
    from with_columns
    left join {{ ref('stg_qlik__masks') }} as column_masks
        on with_columns.column_mask_sent = column_masks.mask
    left join {{ ref('stg_qlik__masks') }} as change_masks
        on with_columns.change_mask_sent = change_masks.mask
),

-- A null under a cleared bit of the column mask is no value, so there it matters which column has which bit.
measured as (
    select
        *,
        case when operation_upper = 'DELETE' then coalesce(data, before_data) else data end as image,
        case
            when operation_upper = 'DELETE' and data is null then before_data_key_count
            else data_key_count
        end as image_key_count,
        case
            when column_mask_sent is null then true
            when column_names is not null then column_mask_read.ordinal_count >= column_count
            else
                column_mask_read.ordinal_count = column_mask_read.highest_ordinal
                and column_mask_read.ordinal_count >= greatest(
                    coalesce(data_key_count, 0), coalesce(before_data_key_count, 0)
                )
        end as is_mask_complete,
        case
            when column_mask_sent is null then 0
            when column_names is not null then column_count
            else column_mask_read.ordinal_count
        end as columns_promised,
        coalesce(contains(data, ':null'), false) or coalesce(contains(before_data, ':null'), false) as holds_null
    from with_masks
),

judged as (
    select
        *,
        case
            when not is_mask_complete and holds_null
                then {{ qlik_unsent_columns() }}
        end as unsent_columns,
        case
            when value is null then 'TOMBSTONE'
            when not is_json then 'NOT_JSON'
            when has_duplicate_keys then 'DUPLICATE_KEYS'
            when not is_object then 'NOT_A_CHANGE'
            when has_wrong_type then 'WRONG_TYPE'
            when is_schema_message then {{ qlik_schema_message_fault('schema_message') }}
            when operation_upper is null then 'NOT_A_CHANGE'
            when operation_upper not in ('INSERT', 'UPDATE', 'DELETE', 'REFRESH') then 'UNKNOWN_OPERATION'
            when operation_upper = 'DELETE' and coalesce(image_key_count, 0) <= 0 then 'MISSING_KEY_IMAGE'
            when coalesce(image_key_count, 0) <= 0 then 'MISSING_IMAGE'
            when operation_upper <> 'REFRESH' and not coalesce(change_sequence rlike '^[0-9]{1,35}$', false)
                then 'BAD_POSITION'
            when
                (change_mask_sent is not null and change_mask_read.ordinals is null)
                or (column_mask_sent is not null and column_mask_read.ordinals is null)
                then 'BAD_MASK'
            when
                (event_counter_sent is not null and try_cast(event_counter_sent as bigint) is null)
                or (last_event_sent is not null and try_cast(last_event_sent as boolean) is null)
                then 'WRONG_TYPE'
            when table_name is null and schema_id_sent is not null then 'NO_SCHEMA'
            when table_name is null then 'MISSING_TABLE'
            when
                column_names is not null
                and (
                    {{ qlik_mask_does_not_fit('column_mask_read', 'column_count') }}
                    or {{ qlik_mask_does_not_fit('change_mask_read', 'column_count') }}
                )
                then 'NO_SCHEMA'
        end as fault
    from measured
),

decided as (
    select
        *,
        coalesce(fault, case when {{ unsent_columns_are_needed }} then 'NO_SCHEMA' end) as reason,
        case
            when fault = 'TOMBSTONE' then 'ignored'
            when fault <> 'NO_SCHEMA' then 'rejected'
            when fault = 'NO_SCHEMA' or ({{ unsent_columns_are_needed }}) then 'pending'
            else 'change'
        end as outcome,
        case
            when is_schema_message then 'schema'
            when operation_upper = 'REFRESH' then 'snapshot'
            when operation_upper in ('INSERT', 'UPDATE', 'DELETE') then lower(operation_upper)
        end as operation,
        is_mask_complete and image_key_count >= columns_promised as is_image_full,
        case
            when operation_upper = 'UPDATE' and change_mask_sent is not null and column_names is not null
                then array_compact(
                    transform(change_mask_read.ordinals, ordinal -> try_element_at(column_names, ordinal))
                )
        end as changed_columns,
        case
            when unsent_columns is null then image
            else {{ qlik_without_unsent('image', 'unsent_columns') }}
        end as image_kept,
        case
            when operation_upper = 'UPDATE' and unsent_columns is null then before_data
            when operation_upper = 'UPDATE' then {{ qlik_without_unsent('before_data', 'unsent_columns') }}
        end as before_kept,
        -- How the message itself names its table: it has to stay the same when a schema message arrives later.
        coalesce(
            case when table_in_message is not null then concat_ws('.', schema_in_message, table_in_message) end,
            concat('schema ', schema_id_sent),
            table_injected,
            concat(topic_parts[0], '.', topic_parts[1])
        ) as table_told,
        {{ qlik_metadata_told() }} as metadata_told
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
        `key`,
        headers,
        event_index,
        cast(null as int) as table_index,
        stored_event,
        value as element,
        outcome,
        reason,
        case when reason is not null then {{ qlik_reason_detail() }} end as reason_detail,
        case
            when
                outcome = 'change' and not is_schema_message
                and (is_schema_found_by_name or (schema_id_sent is not null and schema_found is null))
                then schema_key
        end as schema_scope,
        case
            when outcome not in ('change', 'pending') then null
            when is_schema_message
                then concat_ws('/', 'schema', schema_id_sent, schema_name, table_name, schema_message.table_version)
            when operation <> 'snapshot' then concat(table_told, '/', lpad(change_sequence, 35, '0'))
        end as vendor_identity,
        case
            when outcome not in ('change', 'pending') then null
            when is_schema_message then to_json(struct(schema_message.lineage, schema_message.columns))
            when operation = 'snapshot' then concat_ws('\n', table_told, time_sent, data)
            when operation = 'delete' then image
            else concat(image, '\n', coalesce(before_data, ''))
        end as content_sent,
        cast(null as string) as database_name,
        schema_name,
        table_name,
        operation,
        case when outcome = 'change' then table_schema.key_columns end as key_columns_sent,
        cast(null as array<string>) as key_values_sent,
        cast(null as array<string>) as key_values_before_sent,
        case
            when outcome <> 'change' then null
            when operation = 'delete' then image_kept
            when operation = 'update' then before_kept
        end as `before`,
        case
            when outcome = 'change' and operation in ('insert', 'update', 'snapshot') then image_kept
        end as `after`,
        case
            when outcome <> 'change' then null
            when operation = 'delete' and is_image_full then 'full'
            when operation = 'delete' then 'partial'
            when operation = 'update' and coalesce(before_data_key_count, 0) > 0
                then case
                    when is_mask_complete and before_data_key_count >= columns_promised then 'full'
                    else 'partial'
                end
            else 'none'
        end as before_image,
        case
            when outcome <> 'change' then null
            when operation not in ('insert', 'update', 'snapshot') then 'none'
            when is_image_full then 'full'
            else 'partial'
        end as after_image,
        case when outcome = 'change' then changed_columns end as changed_columns,
        case
            when outcome in ('change', 'pending') and operation in ('insert', 'update', 'delete')
                then lpad(change_sequence, 35, '0')
        end as position,
        case
            when operation in ('insert', 'update', 'delete') then happened_at
            when is_schema_message then schema_message.produced_at
        end as committed_at,
        case when operation = 'snapshot' then happened_at end as snapshot_at,
        nullif(transaction_id, '') as transaction_id,
        try_cast(event_counter_sent as bigint) as transaction_index,
        try_cast(last_event_sent as boolean) as is_transaction_end,
        nullif(change_sequence, '') as message_id,
        coalesce(schema_id_sent, table_schema.schema_id) as schema_id,
        case when outcome = 'change' then {{ qlik_metadata() }} end as metadata,
        case when outcome = 'change' then {{ qlik_warnings() }} end as warnings
    from decided
)

select * from final

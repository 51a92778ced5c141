-- Every event, parsed once. Inside a list, text before or behind the message is a syntax error, or takes away the null
-- that ends the list.
with parsed as (
    select
        *,
        from_json(
            concat('[', event, ',null]'),
            'array<struct<
                magic: string,
                `type`: string,
                headers: string,
                messageSchemaId: string,
                messageSchema: string,
                message: {{ qlik_body_type() }}
            >>',
            {{ cdc_strict_json() }}
        ) as messages
    from {{ ref('stg_qlik__events') }}
),

-- Every event with its body, which is the message itself where it has no envelope.
opened as (
    select
        *,
        coalesce(get(messages, 0) is not null and size(messages) = 2 and endswith(event, '}'), false) as is_json_object,
        get(messages, 0) as envelope,
        envelope.message is null as is_bare,
        case
            when is_json_object
                then coalesce(envelope.message, from_json(event, '{{ qlik_body_type() }}', {{ cdc_strict_json() }}))
        end as body
    from parsed
),

-- Every event with its headers. A custom message format has no object for them: they are fields of the body, with the
-- prefix headers_ or without.
with_header as (
    select
        *,
        coalesce(
            body.headers,
            from_json(
                replace(if(is_bare, event, get_json_object(event, '$.message')), '"headers_', '"'),
                '{{ qlik_header_type() }}',
                {{ cdc_strict_json() }}
            )
        ) as header,
        -- Metadata messages alone have a lineage.
        from_json(body.lineage, '{{ qlik_lineage_type() }}') as origin
    from opened
),

-- Every event, its fields under plain names, its images as from_json read them.
fields as (
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
        is_json_object,
        is_bare,
        envelope.magic,
        envelope.`type` as message_type,
        envelope.`messageSchema` as message_schema,
        case when not is_bare then envelope.headers end as envelope_headers,
        body.data as data_read,
        body.`beforeData` as before_data_read,
        body.lineage,
        coalesce(body.`tableStructure`.`tableColumns`, body.`tableColumns`) as table_columns,
        try_cast(origin.`tableVersion` as bigint) as table_version,
        nullif(origin.`timestamp`, '') as lineage_timestamp,
        nullif(coalesce(body.`schemaId`, envelope.`messageSchemaId`, header.`externalSchemaId`), '') as schema_id_sent,
        nullif(coalesce(
            origin.`schema`, body.`schema`, body.`schemaName`, header.`schema`, header.`schemaName`
        ), '') as schema_in_message,
        nullif(coalesce(
            origin.`table`, body.`table`, body.`tableName`, header.`table`, header.`tableName`
        ), '') as table_in_message,
        nullif(header.operation, '') as operation_sent,
        nullif(header.`changeSequence`, '') as change_sequence,
        nullif(header.`timestamp`, '') as header_timestamp,
        nullif(header.`streamPosition`, '') as stream_position,
        nullif(header.`transactionId`, '') as transaction_id,
        nullif(header.`transactionEventCounter`, '') as transaction_event_counter,
        nullif(header.`transactionLastEvent`, '') as transaction_last_event,
        nullif(header.`changeMask`, '') as change_mask,
        nullif(header.`columnMask`, '') as column_mask,
        nullif(header.`externalSchemaId`, '') as external_schema_id
    from with_header
),

-- Every event. The images are read a second time, as VARIANT, where one does not stand in the message character for
-- character and from_json may have changed a number, or where one was sent as text.
with_exact_images as (
    select
        *,
        case
            when
                (
                    not {{ cdc_stands_in('event', 'data', 'data_read') }}
                    or not {{ cdc_stands_in('event', 'beforeData', 'before_data_read') }}
                )
                and (
                    {{ cdc_may_hold_inexact_numbers('event') }}
                    or event rlike '"(?:data|beforeData)"\\s*:\\s*"'
                )
                then from_json(
                    {{ cdc_long_numbers_as_text('event') }},
                    'data variant, beforeData variant, message struct<data: variant, beforeData: variant>'
                )
        end as exact,
        if(is_bare, exact.data, exact.message.data) as exact_data,
        if(is_bare, exact.`beforeData`, exact.message.`beforeData`) as exact_before_data
    from fields
)

select
    * except (is_bare, data_read, before_data_read, exact, exact_data, exact_before_data),
    {{ cdc_exact_image('exact_data', 'data_read') }} as data,
    {{ cdc_exact_image('exact_before_data', 'before_data_read') }} as before_data,
    exact is not null and event <> {{ cdc_long_numbers_as_text('event') }} as has_number_as_text
from with_exact_images

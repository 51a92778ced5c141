-- Every event, parsed once. Inside a list, text before or behind the event is a syntax error, or takes away the null
-- that ends the list.
with parsed as (
    select
        *,
        from_json(
            concat('[', event, ',null]'),
            'array<struct<
                id: string,
                operation: string,
                `type`: string,
                source: string,
                `schema`: string,
                `table`: string,
                `timestamp`: string,
                transaction_id: string,
                position: string,
                before: string,
                after: string,
                metadata: string,
                ddl_type: string,
                ddl_command: string
            >>',
            {{ cdc_strict_json() }}
        ) as messages,
        -- One header cannot name the many events of a batch.
        case
            when headers is not null and not is_in_batch
                then struct(
                    {{ savegress_header('headers', '(x-)?savegress-event-id') }} as id,
                    {{ savegress_header('headers', '(x-)?savegress-operation') }} as operation,
                    {{ savegress_header('headers', '(x-)?savegress-table') }} as `table`,
                    {{ savegress_header('headers', 'savegress-timestamp') }} as milliseconds,
                    {{ savegress_header('headers', 'x-savegress-timestamp') }} as seconds
                )
        end as header
    from {{ ref('stg_savegress__events') }}
),

-- Every event, opened. The images are read a second time, as VARIANT, where one does not stand in the event character
-- for character and from_json may have changed a number, or where one was sent as text.
opened as (
    select
        *,
        coalesce(get(messages, 0) is not null and size(messages) = 2 and endswith(event, '}'), false) as is_json_object,
        get(messages, 0) as message,
        case
            when
                (
                    not {{ cdc_stands_in('event', 'before', 'message.before') }}
                    or not {{ cdc_stands_in('event', 'after', 'message.after') }}
                )
                and (
                    {{ cdc_may_hold_inexact_numbers('event') }}
                    or event rlike '"(?:before|after)"\\s*:\\s*"'
                )
                then from_json({{ cdc_long_numbers_as_text('event') }}, 'before variant, after variant')
        end as exact,
        case when startswith(message.metadata, '{') then message.metadata end as event_metadata,
        from_json(
            event_metadata,
            'connector_version string, server string, database string, tx_id string, commit_ts string'
        ) as described,
        -- An engine's name, or an object that holds what other events say beside it.
        case
            when startswith(message.source, '{')
                then from_json(
                    message.source,
                    '`type` string, database string, `schema` string, `table` string, position string'
                )
        end as origin
    from parsed
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
    is_in_batch,
    batch_fields,
    envelope_reason,
    has_number_as_text
    or (exact is not null and event <> {{ cdc_long_numbers_as_text('event') }}) as has_number_as_text,
    signature,
    delivery,
    is_json_object,
    nullif(coalesce(message.id, header.id), '') as message_id,
    coalesce(message.operation, message.`type`, header.operation) as operation_sent,
    -- Beside an operation the type says something else.
    case when message.operation is not null then message.`type` end as event_type,
    if(origin is null, message.source, origin.`type`) as source_type,
    described.server,
    coalesce(described.database, origin.database) as database_name,
    coalesce(message.`schema`, origin.`schema`) as schema_name,
    nullif(coalesce(message.`table`, origin.`table`, header.`table`), '') as table_name,
    coalesce(message.transaction_id, described.tx_id) as transaction_id,
    nullif(coalesce(message.`timestamp`, described.commit_ts), '') as time_sent,
    header.milliseconds as header_milliseconds,
    header.seconds as header_seconds,
    nullif(trim(coalesce(message.position, origin.position)), '') as position_sent,
    {{ cdc_exact_image('exact.before', 'message.before') }} as before,
    {{ cdc_exact_image('exact.after', 'message.after') }} as after,
    message.ddl_type,
    message.ddl_command,
    described.connector_version,
    event_metadata
from opened

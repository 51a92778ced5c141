-- Every event, parsed once. Inside a list, text before or behind the message is a syntax error, or takes away the null
-- that ends the list.
with parsed as (
    select
        *,
        from_json(
            concat('[', event, ',null]'),
            'array<struct<
                record: string,
                changes: string,
                action: string,
                metadata: struct<
                    database_name: string,
                    table_schema: string,
                    table_name: string,
                    commit_timestamp: string,
                    commit_lsn: string,
                    commit_idx: string,
                    idempotency_key: string,
                    record_pks: array<string>,
                    transaction_annotations: string,
                    enrichment: string,
                    consumer: string,
                    database: string
                >
            >>',
            {{ cdc_strict_json() }}
        ) as messages
    from {{ ref('stg_sequin__events') }}
),

-- Every event, its message opened. The images are read a second time, as VARIANT, where one does not stand in the
-- message character for character and from_json may have changed a number, or where one was sent as text.
opened as (
    select
        *,
        coalesce(get(messages, 0) is not null and size(messages) = 2 and endswith(event, '}'), false) as is_json_object,
        get(messages, 0) as message,
        get(messages, 0).metadata as metadata,
        case
            when
                (
                    not {{ cdc_stands_in('event', 'record', 'message.record') }}
                    or not {{ cdc_stands_in('event', 'changes', 'message.changes') }}
                )
                and (
                    {{ cdc_may_hold_inexact_numbers('event') }}
                    or event rlike '"(?:record|changes)"\\s*:\\s*"'
                )
                then from_json({{ cdc_long_numbers_as_text('event') }}, 'record variant, changes variant')
        end as exact
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
    envelope_reason,
    has_number_as_text
    or (exact is not null and event <> {{ cdc_long_numbers_as_text('event') }}) as has_number_as_text,
    is_json_object,
    {{ cdc_exact_image('exact.record', 'message.record') }} as record,
    {{ cdc_exact_image('exact.changes', 'message.changes') }} as changes,
    message.action,
    metadata.database_name,
    metadata.table_schema,
    metadata.table_name,
    metadata.commit_timestamp,
    metadata.commit_lsn,
    metadata.commit_idx,
    metadata.idempotency_key,
    metadata.record_pks,
    metadata.transaction_annotations,
    metadata.enrichment,
    metadata.consumer,
    metadata.database
from opened

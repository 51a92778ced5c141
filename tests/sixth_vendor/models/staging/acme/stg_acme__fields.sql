-- Every event, parsed once. Inside a list, text before or behind the event is a syntax error, or takes away the null
-- that ends the list.
with parsed as (
    select
        *,
        from_json(
            concat('[', event, ',null]'),
            'array<struct<
                id: string,
                `schema`: string,
                `table`: string,
                operation: string,
                `key`: array<string>,
                before: string,
                after: string,
                before_image: string,
                after_image: string,
                position: string,
                committed_at: string,
                snapshot_at: string,
                `transaction`: string,
                row_columns: array<string>,
                ended_columns: array<string>,
                ends_table: boolean,
                table_identity: string
            >>',
            {{ cdc_strict_json() }}
        ) as messages
    from {{ ref('stg_acme__events') }}
),

-- Every event, opened. The images are read a second time, as VARIANT, where one does not stand in the event character
-- for character and from_json may have changed a number.
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
                and {{ cdc_may_hold_inexact_numbers('event') }}
                then from_json({{ cdc_long_numbers_as_text('event') }}, 'before variant, after variant')
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
    is_json_object,
    exact is not null and event <> {{ cdc_long_numbers_as_text('event') }} as has_number_as_text,
    message.id as message_id,
    coalesce(message.`schema`, 'public') as schema_name,
    message.`table` as table_name,
    message.operation,
    message.`key` as key_sent,
    {{ cdc_exact_image('exact.before', 'message.before') }} as before,
    {{ cdc_exact_image('exact.after', 'message.after') }} as after,
    message.before_image,
    message.after_image,
    message.position,
    message.committed_at as committed_at_sent,
    message.snapshot_at as snapshot_at_sent,
    message.`transaction` as transaction_id,
    message.row_columns,
    message.ended_columns,
    message.ends_table,
    message.table_identity
from opened

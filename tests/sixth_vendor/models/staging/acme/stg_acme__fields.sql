-- Every event, parsed once. Inside a list, text before or behind the event is a syntax error, or takes away the null
-- that ends the list.
with parsed as (
    select
        *,
        from_json(
            concat('[', event, ',null]'),
            'array<struct<
                id: string,
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
        get(messages, 0) as sent,
        case
            when
                (
                    not contains(event, concat('"before":', sent.before))
                    or not contains(event, concat('"after":', sent.after))
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
    stored_event,
    event,
    is_json_object,
    exact is not null and event <> {{ cdc_long_numbers_as_text('event') }} as has_number_as_text,
    sent.id as message_id,
    sent.`table` as table_name,
    sent.operation,
    sent.`key` as key_sent,
    {{ cdc_exact_image('exact.before', 'sent.before') }} as before,
    {{ cdc_exact_image('exact.after', 'sent.after') }} as after,
    sent.before_image,
    sent.after_image,
    sent.position,
    sent.committed_at as committed_at_sent,
    sent.snapshot_at as snapshot_at_sent,
    sent.`transaction` as transaction_id,
    sent.row_columns,
    sent.ended_columns,
    sent.ends_table,
    sent.table_identity
from opened

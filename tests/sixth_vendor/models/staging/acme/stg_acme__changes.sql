with parsed as (
    select
        *,
        from_json(
            text,
            'id string, `table` string, operation string, `key` array<string>, before string, after string, '
            || 'before_image string, after_image string, position string, committed_at string, snapshot_at string, '
            || '`transaction` string'
        ) as message
    from {{ ref('stg_acme__messages') }}
),

judged as (
    select
        *,
        case
            when value is null then 'ignored'
            when not {{ cdc_is_json('text') }} then 'rejected'
            when message.operation is null then 'rejected'
            else 'change'
        end as outcome
    from parsed
),

final as (
    select
        source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers, event_index, cast(null as int) as table_index, stored_event,
        {{ cdc_restore_numbers('text') }} as element,
        outcome,
        case
            when outcome = 'ignored' then 'TOMBSTONE'
            when outcome = 'rejected' then 'NOT_A_CHANGE'
        end as reason,
        cast(null as string) as reason_detail,
        cast(null as string) as schema_scope,
        concat_ws('/', message.`table`, message.id) as vendor_identity,
        concat_ws('|', message.before, message.after) as content_sent,
        cast(null as string) as database_name,
        'public' as schema_name,
        message.`table` as table_name,
        message.operation as operation,
        message.`key` as key_columns_sent,
        cast(null as array<string>) as key_values_sent,
        cast(null as array<string>) as key_values_before_sent,
        {{ cdc_restore_numbers('message.before') }} as before,
        {{ cdc_restore_numbers('message.after') }} as after,
        coalesce(message.before_image, 'none') as before_image,
        coalesce(message.after_image, 'none') as after_image,
        cast(null as array<string>) as changed_columns,
        message.position as position,
        {{ cdc_utc_timestamp('message.committed_at') }} as committed_at,
        {{ cdc_utc_timestamp('message.snapshot_at') }} as snapshot_at,
        message.`transaction` as transaction_id,
        cast(null as bigint) as transaction_index,
        cast(null as boolean) as is_transaction_end,
        message.id as message_id,
        cast(null as string) as schema_id,
        cast(null as string) as metadata,
        cast(null as array<string>) as warnings
    from judged
)

select * from final

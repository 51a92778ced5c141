with parsed as (
    select
        *,
        {{ cdc_json_columns(
            'event', 'sent',
            'id string, `table` string, operation string, `key` array<string>, before string, after string, '
            ~ 'before_image string, after_image string, position string, committed_at string, snapshot_at string, '
            ~ '`transaction` string, row_columns array<string>, ended_columns array<string>, ends_table boolean, '
            ~ 'table_identity string',
            objects=['$', '$.before', '$.after'],
            types={'table': 'text', 'key': 'list', 'before': 'object', 'after': 'object'}
        ) }}
    from {{ ref('stg_acme__events') }}
),

validated as (
    select
        *,
        case
            when event is null then 'TOMBSTONE'
            when sent_problem is not null then sent_problem
            when sent.operation is null then 'NOT_A_CHANGE'
            when sent_wrong_types is not null then 'WRONG_TYPE'
        end as reason
    from parsed
)

select
    {{ cdc_transport_columns() }},
    event,
    {{ cdc_status('reason') }} as status,
    reason,
    {{ cdc_reason_detail('reason', 'sent_wrong_types', 'sent.operation, sent.`table`') }} as reason_detail,
    concat_ws('/', sent.`table`, sent.id) as vendor_identity,
    concat_ws('|', sent.before, sent.after) as content_sent,
    'public' as schema_name,
    sent.`table` as table_name,
    sent.operation,
    sent.`key` as key_columns_sent,
    {{ cdc_json_member('sent', 'before') }} as before,
    {{ cdc_json_member('sent', 'after') }} as after,
    coalesce(sent.before_image, 'none') as before_image,
    coalesce(sent.after_image, 'none') as after_image,
    sent.row_columns,
    sent.ended_columns,
    sent.ends_table,
    sent.table_identity,
    sent.position,
    {{ cdc_utc_timestamp('sent.committed_at') }} as committed_at,
    {{ cdc_utc_timestamp('sent.snapshot_at') }} as snapshot_at,
    sent.`transaction` as transaction_id,
    sent.id as message_id,
    {{ cdc_warnings({
        'NUMBER_KEPT_AS_TEXT': 'sent_has_number_as_text'
    }) }} as warnings
from validated

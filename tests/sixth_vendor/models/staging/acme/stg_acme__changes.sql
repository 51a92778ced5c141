with parsed as (
    select
        *,
        {{ cdc_json_columns(
            'element', 'event',
            'id string, `table` string, operation string, `key` array<string>, before string, after string, '
            ~ 'before_image string, after_image string, position string, committed_at string, snapshot_at string, '
            ~ '`transaction` string',
            objects=['$', '$.before', '$.after'],
            types={'table': 'text', 'key': 'list', 'before': 'object', 'after': 'object'}
        ) }}
    from {{ ref('stg_acme__events') }}
),

judged as (
    select
        *,
        case
            when element is null then 'TOMBSTONE'
            when event_problem is not null then event_problem
            when event.operation is null then 'NOT_A_CHANGE'
            when event_wrong_types is not null then 'WRONG_TYPE'
        end as reason
    from parsed
)

select
    {{ cdc_transport_columns() }},
    element,
    {{ cdc_outcome('reason') }} as outcome,
    reason,
    {{ cdc_reason_detail('reason', 'event_wrong_types', 'event.operation, event.`table`') }} as reason_detail,
    concat_ws('/', event.`table`, event.id) as vendor_identity,
    concat_ws('|', event.before, event.after) as content_sent,
    'public' as schema_name,
    event.`table` as table_name,
    event.operation,
    event.`key` as key_columns_sent,
    {{ cdc_json_member('event', 'before') }} as before,
    {{ cdc_json_member('event', 'after') }} as after,
    coalesce(event.before_image, 'none') as before_image,
    coalesce(event.after_image, 'none') as after_image,
    event.position,
    {{ cdc_utc_timestamp('event.committed_at') }} as committed_at,
    {{ cdc_utc_timestamp('event.snapshot_at') }} as snapshot_at,
    event.`transaction` as transaction_id,
    event.id as message_id,
    {{ cdc_warnings({
        'NUMBER_KEPT_AS_TEXT': cdc_has_number_as_text('element', 'event_is_inexact')
    }) }} as warnings,
    {{ cdc_absent([
        'table_index', 'schema_scope', 'database_name', 'key_values_sent', 'key_values_before_sent', 'changed_columns',
        'transaction_index', 'is_transaction_end', 'schema_id', 'metadata',
    ]) }}
from judged

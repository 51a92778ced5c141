-- Every event with the reason why it is no change; null for a change.
with validated as (
    select
        *,
        case
            when event is null then 'TOMBSTONE'
            when not is_json_object
                then if({{ cdc_is_one_json_value('event') }}, 'NOT_A_CHANGE', 'NOT_JSON')
            when operation is null then 'NOT_A_CHANGE'
        end as reason
    from {{ ref('stg_acme__fields') }}
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
    {{ cdc_status('reason') }} as status,
    reason,
    case when reason is not null then to_json(struct(operation, table_name)) end as reason_detail,
    {{ cdc_identity(['schema_name', 'table_name', 'message_id']) }} as vendor_identity,
    {{ cdc_content(['before', 'after']) }} as content_sent,
    schema_name,
    table_name,
    operation,
    key_sent as key_columns_sent,
    before,
    after,
    coalesce(before_image, 'none') as before_image,
    coalesce(after_image, 'none') as after_image,
    row_columns,
    ended_columns,
    ends_table,
    table_identity,
    position,
    {{ cdc_utc_timestamp('committed_at_sent') }} as committed_at,
    {{ cdc_utc_timestamp('snapshot_at_sent') }} as snapshot_at,
    transaction_id,
    message_id,
    {{ cdc_warnings({
        'NUMBER_KEPT_AS_TEXT': 'has_number_as_text',
    }) }} as warnings
from validated

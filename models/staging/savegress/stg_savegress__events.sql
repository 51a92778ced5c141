-- Every raw message and every stored event that is read again, without the blanks around its body.
with messages as (
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
        {{ cdc_json_body('value') }} as body,
        {{ savegress_signature('headers') }} as signature,
        {{ savegress_delivery('source', 'value', 'headers', 'event_index') }} as delivery,
        -- A bare list is read like the list of a batch.
        case
            when startswith(body, '[') then concat('{"events":', body, '}')
            when contains(body, '"events"') then body
        end as envelope_text
    from {{ cdc_messages('savegress') }}
),

-- Every message that may be a batch; `envelopes` holds its one envelope. Control characters are looked for in each of
-- its events later.
parsed as (
    select
        *,
        from_json(
            concat('[', envelope_text, ',null]'),
            'array<struct<
                batch_id: string,
                batch_size: bigint,
                batch_timestamp: string,
                events: array<string>,
                operation: string,
                `type`: string
            >>',
            map('allowUnquotedControlChars', 'true', 'allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false')
        ) as envelopes,
        case
            when size(envelopes) = 2 and get(envelopes, 0) is not null
                then {{ cdc_without_control_characters('envelope_text') }}
        end as clean_text
    from messages
    where envelope_text is not null
),

-- Every such message, and whether it is a batch: a bare list, or an object that has events and no operation.
batches as (
    select
        *,
        get(envelopes, 0) as envelope,
        envelope.events as items,
        coalesce(
            envelope.events is not null
            and envelope.operation is null
            and envelope.`type` is null
            and (startswith(body, '{') or json_object_keys(clean_text) = array('events')),
            false
        ) as is_batch,
        endswith(body, if(startswith(body, '['), ']', '}')) as is_batch_json
    from parsed
),

-- Every such message, with the events of a batch as JSON texts, each with whether it is JSON. What the next step needs
-- of a batch stands here in short: each event gets a copy of it.
checked as (
    select
        *,
        is_batch and is_batch_json and size(items) > 0 as has_events,
        is_batch and size(items) = 0 as is_empty_batch,
        case
            when has_events then {{ cdc_are_items_json('envelope_text', 'clean_text', 'events', 'items') }}
        end as are_items_json,
        case when has_events then {{ cdc_exact_items('clean_text', 'events', 'items') }} end as item_texts,
        case
            when has_events then {{ cdc_checked_items('item_texts', 'are_items_json') }}
            else array(struct(body as text, true as is_json))
        end as events,
        coalesce(has_events and {{ cdc_holds_long_numbers('envelope_text') }}, false) as holds_long_numbers,
        case
            when is_batch
                then to_json(struct(
                    envelope.batch_id,
                    envelope.batch_size,
                    envelope.batch_timestamp
                ))
        end as batch_fields
    from batches
),

-- Every event of these messages. `outer` is for speed: without it Spark evaluates the list twice, the first
-- time to test that it is not empty.
opened as (
    select
        checked.*,
        item_index,
        item
    from checked
        lateral view outer posexplode(events) as item_index, item
)

-- Every message that is one event. They stand apart, since taking batches apart costs every message copies of its row.
select
    source,
    landing_batch,
    topic,
    `partition`,
    `offset`,
    `timestamp`,
    `key`,
    headers,
    coalesce(event_index, 0) as event_index,
    redecoded_event_id,
    body as event,
    false as is_in_batch,
    cast(null as string) as batch_fields,
    cast(null as string) as envelope_reason,
    false as has_number_as_text,
    signature,
    delivery
from messages
where envelope_text is null

union all

-- Every event of the messages that may be batches.
select
    source,
    landing_batch,
    topic,
    `partition`,
    `offset`,
    `timestamp`,
    `key`,
    headers,
    coalesce(event_index, item_index) as event_index,
    redecoded_event_id,
    -- A null in a batch is an event that is rejected; a body that is null is a tombstone.
    case
        when has_events then coalesce({{ cdc_json_list_item('item.text') }}, 'null')
        else item.text
    end as event,
    is_batch as is_in_batch,
    batch_fields,
    case
        when is_batch and not is_batch_json then 'NOT_JSON'
        when not item.is_json then 'NOT_JSON'
        when is_empty_batch then 'EMPTY_ENVELOPE'
    end as envelope_reason,
    holds_long_numbers and {{ cdc_may_hold_number_as_text('item.text') }} as has_number_as_text,
    signature,
    delivery
from opened

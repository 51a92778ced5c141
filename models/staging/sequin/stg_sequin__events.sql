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
        -- A list of messages is read like the list of a batch. A stored event was taken out of its batch before.
        case
            when event_index is not null then null
            when startswith(body, '[') then concat('{"data":', body, '}')
            when contains(body, '"data"') then body
        end as envelope_text
    from {{ cdc_messages('sequin') }}
),

-- Every message; `envelopes` holds the one envelope of a body that may be a batch. Control characters are looked for
-- in each of its events later.
parsed as (
    select
        *,
        from_json(
            concat('[', envelope_text, ',null]'),
            'array<struct<data: array<string>, record: string, action: string, metadata: string>>',
            map('allowUnquotedControlChars', 'true', 'allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false')
        ) as envelopes,
        case
            when size(envelopes) = 2 and get(envelopes, 0) is not null
                then {{ cdc_without_control_characters('envelope_text') }}
        end as clean_text
    from messages
),

-- Every message, and whether it is a batch. A bare row may have a column named data: beside other fields only events
-- make a batch.
batches as (
    select
        *,
        get(envelopes, 0).data as items,
        coalesce(
            items is not null
            and get(envelopes, 0).record is null
            and get(envelopes, 0).action is null
            and get(envelopes, 0).metadata is null
            and (
                array_distinct(json_object_keys(clean_text)) = array('data')
                or exists(items, item -> get_json_object(item, '$.metadata.table_name') is not null)
            ),
            false
        ) as is_batch,
        -- Text behind a list would be read as further fields.
        if(
            startswith(body, '['), endswith(body, ']') and size(json_object_keys(clean_text)) = 1, endswith(body, '}')
        ) as is_batch_json
    from parsed
),

-- Every message, with the events of a batch as JSON texts, each with whether it is JSON. What the next step needs of a
-- batch stands here in short: each event gets a copy of it.
checked as (
    select
        *,
        is_batch and is_batch_json and size(items) > 0 as has_events,
        is_batch and size(items) = 0 as is_empty_batch,
        case
            when has_events then {{ cdc_are_items_json('envelope_text', 'clean_text', 'data', 'items') }}
        end as are_items_json,
        case when has_events then {{ cdc_exact_items('clean_text', 'data', 'items') }} end as item_texts,
        case
            when has_events then {{ cdc_checked_items('item_texts', 'are_items_json') }}
            else array(struct(body as text, true as is_json))
        end as events,
        coalesce(has_events and {{ cdc_holds_long_numbers('envelope_text') }}, false) as holds_long_numbers
    from batches
),

-- Every event of every message. `outer` is for speed: without it Spark evaluates the list twice, the first
-- time to test that it is not empty.
opened as (
    select
        checked.*,
        item_index,
        item
    from checked
        lateral view outer posexplode(events) as item_index, item
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
    coalesce(event_index, item_index) as event_index,
    redecoded_event_id,
    -- A null in a batch is an event that is rejected; a body that is null is a tombstone.
    case
        when has_events then coalesce({{ cdc_json_list_item('item.text') }}, 'null')
        else item.text
    end as event,
    case
        when is_batch and not is_batch_json then 'NOT_JSON'
        when not item.is_json then 'NOT_JSON'
        when is_empty_batch then 'EMPTY_ENVELOPE'
    end as envelope_reason,
    holds_long_numbers and {{ cdc_may_hold_number_as_text('item.text') }} as has_number_as_text
from opened

-- Every new raw message, without the blanks around its body.
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
        value,
        {{ cdc_json_body('value') }} as body,
        -- A bare list is read like the list of an envelope.
        case
            when startswith(body, '[') then concat('{"events":', body, '}')
            when contains(body, '"events"') then body
        end as envelope_text
    from {{ cdc_new_messages('supabase_etl') }} as new_messages
),

-- Every message; `envelopes` holds the one envelope of a body that may be a batch. Control characters are looked for
-- in each of its events later.
parsed as (
    select
        *,
        from_json(
            concat('[', envelope_text, ',null]'),
            'array<struct<events: array<string>, `type`: string>>',
            map('allowUnquotedControlChars', 'true', 'allowSingleQuotes', 'false', 'allowNonNumericNumbers', 'false')
        ) as envelopes,
        case
            when size(envelopes) = 2 and get(envelopes, 0) is not null
                then {{ cdc_without_control_characters('envelope_text') }}
        end as clean_text
    from messages
),

-- Every message, and whether it is a batch: a bare list, or an object that has events and no type.
batches as (
    select
        *,
        get(envelopes, 0) as envelope,
        envelope.events as items,
        coalesce(
            envelope.events is not null
            and envelope.`type` is null
            and (startswith(body, '{') or json_object_keys(clean_text) = array('events')),
            false
        ) as is_batch,
        endswith(body, if(startswith(body, '['), ']', '}')) as is_batch_json
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
            when has_events then {{ cdc_are_items_json('envelope_text', 'clean_text', 'events', 'items') }}
        end as are_items_json,
        case when has_events then {{ cdc_exact_items('clean_text', 'events', 'items') }} end as item_texts,
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
),

-- Every event without the name that may wrap it, {"Insert": {…}}.
unwrapped as (
    select
        *,
        -- A null in a batch is an event that is rejected; a body that is null is a tombstone.
        case
            when has_events then coalesce({{ cdc_json_list_item('item.text') }}, 'null')
            else item.text
        end as event,
        {{ supabase_etl_wrapping('event') }} as wrapping,
        lower(regexp_extract(wrapping, '[A-Za-z]+', 0)) as wrapped_as,
        {{ supabase_etl_unwrapped('event', 'wrapping') }} as event_text,
        -- Only the text of what may be a truncate is looked into.
        case
            when contains(event_text, '"truncated_tables"') or contains(event_text, '"rel_ids"')
                then from_json(
                    event_text,
                    '`type` string, start_lsn string, commit_lsn string, tx_ordinal string, options string,'
                    || ' truncated_tables array<string>, rel_ids array<string>'
                )
        end as truncate_sent,
        coalesce(truncate_sent.truncated_tables, truncate_sent.rel_ids) as tables_sent
    from opened
),

-- Every event, with one truncate for each table of a truncate of several tables, so that one of them can wait, be
-- rejected or be decoded again, alone; each gets a copy of what stands here. What is not JSON stays whole.
with_truncates as (
    select
        * except (event, event_text, item),
        item.is_json as is_item_json,
        holds_long_numbers and {{ cdc_may_hold_number_as_text('item.text') }} as has_number_as_text,
        case
            when
                coalesce(wrapped_as, lower(truncate_sent.`type`)) = 'truncate'
                and size(tables_sent) > 1
                and {{ cdc_is_one_json_value('event_text') }}
                then transform(
                    tables_sent,
                    table_sent -> {{ cdc_json_object({
                        '*fields': cdc_without_braces("to_json(struct("
                            ~ "'truncate' as `type`, truncate_sent.start_lsn, truncate_sent.commit_lsn,"
                            ~ " truncate_sent.tx_ordinal, truncate_sent.options))"),
                        'truncated_tables': "concat('[', coalesce(table_sent, 'null'), ']')",
                    }) }}
                )
        end as truncates,
        case when truncates is null then event end as event,
        case when truncates is null then event_text end as event_text
    from unwrapped
),

-- Every event; a truncate of several tables is one event for each of them.
taken_apart as (
    select
        with_truncates.*,
        table_index,
        truncate_of_one
    from with_truncates
        lateral view outer posexplode(truncates) as table_index, truncate_of_one
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
    table_index,
    value,
    coalesce(truncate_of_one, event) as event,
    wrapped_as,
    coalesce(truncate_of_one, event_text) as event_text,
    case
        when is_batch and not is_batch_json then 'NOT_JSON'
        when not is_item_json then 'NOT_JSON'
        when is_empty_batch then 'EMPTY_ENVELOPE'
    end as envelope_reason,
    has_number_as_text
from taken_apart

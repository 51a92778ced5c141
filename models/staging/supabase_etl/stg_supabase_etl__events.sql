{%- set lenient = "map('allowSingleQuotes', 'false', 'allowUnquotedControlChars', 'true')" -%}
with messages as (
    select
        {{ cdc_transport_columns() }},
        value,
        {{ cdc_json_body('value') }} as body
    from {{ cdc_new_messages('supabase_etl') }} as new_messages
),

-- A bare array is read as the list of an envelope.
envelopes as (
    select
        *,
        case
            when startswith(body, '[') then concat('{"events":', body, '}')
            when contains(body, '"events"') then body
        end as envelope_text,
        {{ cdc_without_control_characters('envelope_text') }} as clean_text,
        from_json(envelope_text, 'events array<string>, `type` string', {{ lenient }}) as envelope
    from messages
),

batches as (
    select
        *,
        coalesce(
            envelope.events is not null and envelope.`type` is null
            and (startswith(body, '{') or json_object_keys(clean_text) = array('events')),
            false
        ) as is_batch
    from envelopes
),

checked as (
    select
        *,
        case
            when value is null then 'TOMBSTONE'
            when is_batch and right(body, 1) not in ('}', ']') then 'NOT_JSON'
            when is_batch and size(envelope.events) = 0 then 'EMPTY_ENVELOPE'
            when is_batch then {{ cdc_json_problem('clean_text', ['$']) }}
        end as envelope_reason,
        {{ cdc_batch_columns('is_batch', 'envelope_text', 'clean_text', 'events', 'envelope.events') }}
    from batches
),

opened as (
    select
        checked.*,
        position_in_batch,
        case
            when is_batch and envelope_reason is null
                then coalesce({{ cdc_json_list_item('listed_event') }}, 'null')
            else listed_event
        end as event
    from checked
        -- `outer`, though no list is empty: without it Spark makes the list twice, once to look whether it is.
        lateral view outer posexplode(
            case
                when is_batch and envelope_reason is null
                    then {{ cdc_exact_items('clean_text', 'events', 'envelope.events') }}
                else array(body)
            end
        ) as position_in_batch, listed_event
),

unwrapped as (
    select
        *,
        {{ supabase_etl_event_columns('event') }},
        -- Only the text of what may be a truncate is looked into.
        if(
            contains(event_text, '"truncated_tables"') or contains(event_text, '"rel_ids"'), event_text, null
        ) as truncate_text,
        from_json(
            truncate_text, '`type` string, start_lsn string, commit_lsn string, tx_ordinal string,'
            || ' truncated_tables array<string>, rel_ids array<string>'
        ) as truncate_sent,
        coalesce(truncate_sent.truncated_tables, truncate_sent.rel_ids) as tables_sent,
        {{ cdc_json_without('truncate_text', "array('type', 'truncated_tables', 'rel_ids')") }} as other_fields
    from opened
),

-- A truncate of several tables is one of each, so that one of them can wait, be rejected or be decoded again, alone.
-- What is not JSON stays whole.
truncates as (
    select
        *,
        coalesce(wrapped_as, lower(truncate_sent.`type`)) = 'truncate' and size(tables_sent) > 1
        and {{ cdc_is_valid_json('truncate_text') }} as is_of_several_tables,
        transform(if(is_of_several_tables, tables_sent, null), truncated -> {{ cdc_json_members({
            'type': "'\"truncate\"'",
            '*fields': cdc_without_braces('other_fields'),
            'truncated_tables': "concat('[', coalesce(truncated, 'null'), ']')",
        }) }}) as truncates
    from unwrapped
),

taken_apart as (
    select
        truncates.*,
        table_index,
        truncate_of_one
    from truncates
        lateral view outer posexplode(truncates.truncates) as table_index, truncate_of_one
)

select
    {{ cdc_transport_columns('coalesce(event_index, position_in_batch)') }},
    table_index,
    value,
    coalesce(truncate_of_one, event) as event,
    wrapped_as,
    coalesce(truncate_of_one, event_text) as event_text,
    case
        when not are_events_json[position_in_batch] then 'NOT_JSON'
        else envelope_reason
    end as envelope_reason,
    {{ cdc_event_has_number_as_text('event', 'has_long_numbers') }} as has_number_as_text
from taken_apart

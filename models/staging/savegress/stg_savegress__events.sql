{%- set lenient = "map('allowSingleQuotes', 'false', 'allowUnquotedControlChars', 'true')" -%}
with messages as (
    select
        {{ cdc_transport_columns() }},
        value,
        {{ cdc_json_body('value') }} as body,
        {{ savegress_signature('headers') }} as signature,
        {{ savegress_delivery() }} as delivery
    from {{ cdc_messages('savegress') }}
),

-- A bare array is read as the list of a batch.
envelopes as (
    select
        *,
        case
            when startswith(body, '[') then concat('{"events":', body, '}')
            when contains(body, '"events"') or contains(body, '"batch_id"') then body
        end as envelope_text,
        {{ cdc_without_control_characters('envelope_text') }} as clean_text
    from messages
),

parsed as (
    select
        *,
        from_json(
            envelope_text, 'batch_id string, events array<string>, operation string, `type` string', {{ lenient }}
        ) as envelope
    from envelopes
),

-- An object with events and without an operation is a batch.
batches as (
    select
        *,
        coalesce(
            (envelope.events is not null or envelope.batch_id is not null)
            and coalesce(envelope.operation, envelope.`type`) is null
            and (startswith(body, '{') or json_object_keys(clean_text) = array('events')),
            false
        ) as is_batch
    from parsed
),

checked as (
    select
        *,
        case
            when value is null then 'TOMBSTONE'
            when is_batch
                then case
                    when envelope.events is null then 'WRONG_TYPE'
                    when right(body, 1) not in ('}', ']') then 'NOT_JSON'
                    when size(envelope.events) = 0 then 'EMPTY_ENVELOPE'
                    else {{ cdc_json_problem('clean_text', ['$']) }}
                end
        end as envelope_reason,
        case
            when is_batch
                then coalesce(
                    {{ cdc_json_without('clean_text', "array('events')") }},
                    to_json(from_json(clean_text, 'batch_id string, batch_size bigint, batch_timestamp string'))
                )
        end as batch_fields,
        {{ cdc_batch_columns('is_batch', 'envelope_text', 'clean_text', 'events', 'envelope.events') }}
    from batches
),

opened as (
    select
        checked.*,
        position_in_batch,
        if(is_batch, {{ cdc_json_list_item('listed_event') }}, listed_event) as event_text
    from checked
        -- `outer`, though no list is empty: without it Spark makes the list twice, once to look whether it is.
        lateral view outer posexplode(
            case
                when is_batch and envelope_reason is null
                    then {{ cdc_exact_items('clean_text', 'events', 'envelope.events') }}
                else array(if(is_batch, null, body))
            end
        ) as position_in_batch, listed_event
)

select
    {{ cdc_transport_columns('coalesce(event_index, position_in_batch)') }},
    is_batch as is_in_batch,
    case
        when not are_events_json[position_in_batch] then 'NOT_JSON'
        else envelope_reason
    end as envelope_reason,
    event_text,
    batch_fields,
    -- An event out of a batch keeps a batch of its own, so that it is read the same way should it wait.
    case
        when is_batch and envelope_reason is null
            then {{ cdc_json_members({
                '*batch': cdc_without_braces('batch_fields'), 'events': "concat('[', coalesce(event_text, 'null'), ']')"
            }) }}
        else value
    end as event,
    {{ cdc_event_has_number_as_text('event_text', 'has_long_numbers') }} as has_number_as_text,
    signature,
    delivery
from opened

with messages as (
    select
        {{ cdc_transport_columns() }},
        {{ cdc_json_body('value') }} as body,
        -- A list of messages is read like the list of a batch. A stored event was taken out of its batch before.
        case
            when event_index is not null then null
            when startswith(body, '[') then concat('{"data":', body, '}')
            when contains(body, '"data"') then body
        end as envelope_text
    from {{ cdc_messages('sequin') }}
),

parsed as (
    select
        *,
        from_json(
            envelope_text, 'data array<string>, record string, action string, metadata string',
            map('allowUnquotedControlChars', 'true')
        ) as envelope,
        case when envelope is not null then {{ cdc_without_control_characters('envelope_text') }} end as clean_body
    from messages
),

batches as (
    select
        *,
        -- A bare row may have a column named data: beside other fields only events make a batch.
        coalesce(
            envelope.data is not null
            and coalesce(envelope.record, envelope.action, envelope.metadata) is null
            and (
                array_distinct(json_object_keys(clean_body)) = array('data')
                or exists(envelope.data, event -> get_json_object(event, '$.metadata.table_name') is not null)
            ),
            false
        ) as is_batch
    from parsed
),

checked as (
    select
        *,
        case
            when is_batch
                then if(right(body, 1) in ('}', ']'), {{ cdc_json_problem('clean_body', ['$']) }}, 'NOT_JSON')
        end as json_problem,
        {{ cdc_batch_columns('is_batch', 'envelope_text', 'clean_body', 'data', 'envelope.data') }}
    from batches
),

opened as (
    select
        checked.*,
        position_in_batch,
        listed_event
    from checked
        -- `outer`, though no list is empty: without it Spark makes the list twice, once to look whether it is.
        lateral view outer posexplode(
            case
                when is_batch and json_problem is null and size(envelope.data) > 0
                    then {{ cdc_exact_items('clean_body', 'data', 'envelope.data') }}
                else array(body)
            end
        ) as position_in_batch, listed_event
)

select
    {{ cdc_transport_columns('coalesce(event_index, position_in_batch)') }},
    -- A null in a batch is an event that is rejected; a body that is null is a tombstone.
    case
        when is_batch and json_problem is null then coalesce({{ cdc_json_list_item('listed_event') }}, 'null')
        else listed_event
    end as event,
    case
        when json_problem is not null then json_problem
        when not are_events_json[position_in_batch] then 'NOT_JSON'
        when is_batch and json_problem is null and size(envelope.data) = 0 then 'EMPTY_ENVELOPE'
    end as envelope_reason,
    {{ cdc_event_has_number_as_text('listed_event', 'has_long_numbers') }} as has_number_as_text
from opened

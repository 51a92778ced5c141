with source as (
    select
        value,
        key,
        headers,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        source,
        landing_batch,
        event_index,
        stored_event
    from {{ cdc_messages('sequin') }}
),

bodies as (
    select
        key,
        headers,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        source,
        landing_batch,
        event_index,
        stored_event,
        {{ cdc_body('value') }} as body
    from source
),

parsed as (
    select
        *,
        -- A message of one change is not looked into here: only a body that names "data" can be a batch.
        case
            when stored_event is null and contains(body, '"data"')
                then from_json(body, 'data array<string>, record string, action string, metadata string')
        end as envelope
    from bodies
),

envelopes as (
    select
        *,
        case
            when
                envelope.data is not null
                and envelope.record is null and envelope.action is null and envelope.metadata is null
                and {{ cdc_is_json('body') }}
                -- A row of a table may have a column named data: beside other fields only changes make a batch.
                and (
                    size(array_distinct(json_object_keys(body))) = 1
                    or exists(
                        envelope.data,
                        element -> get_json_object(element, '$.metadata.table_name') is not null
                    )
                )
                then json_object_keys(body)
        end as batch_keys
    from parsed
),

elements as (
    select
        envelopes.*,
        case
            when size(envelopes.batch_keys) > size(array_distinct(envelopes.batch_keys)) then 'DUPLICATE_KEYS'
            when envelopes.batch_keys is not null and size(envelopes.envelope.data) = 0 then 'EMPTY_ENVELOPE'
        end as envelope_problem,
        element_index,
        element
    from envelopes
        -- No list is empty; without `outer` Spark makes it twice, first to ask whether it is.
        lateral view outer posexplode(
            case
                when
                    envelopes.batch_keys is not null
                    and size(envelopes.batch_keys) = size(array_distinct(envelopes.batch_keys))
                    and size(envelopes.envelope.data) > 0
                    then transform(envelopes.envelope.data, one_of_them -> coalesce(one_of_them, 'null'))
                else array(envelopes.body)
            end
        ) as element_index, element
),

final as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        key,
        headers,
        coalesce(event_index, element_index) as event_index,
        stored_event,
        element,
        envelope_problem
    from elements
)

select * from final

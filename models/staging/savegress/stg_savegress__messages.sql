with raw_messages as (
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
        stored_event,
        value,
        {{ cdc_body('value') }} as body
    from {{ cdc_messages('savegress') }} as messages
),

-- A batch is an object with events and without an operation. Only bodies that hold one of its field
-- names are looked into.
envelopes_found as (
    select
        *,
        case
            when
                left(body, 1) = '{'
                and (contains(body, '"events"') or contains(body, '"batch_id"'))
                then from_json(
                    body,
                    'batch_id string, events array<string>, operation string, `type` string',
                    map('allowSingleQuotes', 'false')
                )
        end as batch
    from raw_messages
),

envelopes_named as (
    select
        *,
        case
            when body is null then null
            when left(body, 1) = '[' then 'array'
            when
                (batch.events is not null or batch.batch_id is not null)
                and batch.operation is null
                and batch.`type` is null
                then 'batch'
            else 'single'
        end as envelope
    from envelopes_found
),

envelopes_opened as (
    select
        *,
        case
            when value is null then 'TOMBSTONE'
            when envelope = 'single' then null
            when not {{ cdc_is_json('body') }} then 'NOT_JSON'
            when envelope = 'array' then null
            when {{ savegress_has_repeats('json_object_keys(body)') }} then 'DUPLICATE_KEYS'
            when batch.events is null then 'WRONG_TYPE'
        end as fault,
        case
            when envelope = 'array' then from_json(body, 'array<string>')
            when envelope = 'batch' then batch.events
        end as events,
        -- Typed values need an envelope that parses as a whole; the three known fields do not.
        case
            when envelope = 'batch'
                then coalesce(
                    to_json(
                        map_filter(
                            from_json(body, 'map<string,variant>'),
                            (name, field) -> name <> 'events'
                        )
                    ),
                    to_json(
                        from_json(
                            body, 'batch_id string, batch_size bigint, batch_timestamp string'
                        )
                    )
                )
        end as batch_fields
    from envelopes_named
),

-- A message that is one event has nothing to take out and stays one row.
events_taken_out as (
    select
        envelopes_opened.*,
        taken.place,
        taken.event_out_of_envelope
    from envelopes_opened
        lateral view outer
        posexplode(case when fault is null then events end) taken as place, event_out_of_envelope
),

final as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        `key`,
        headers,
        coalesce(event_index, place, 0) as event_index,
        stored_event,
        envelope,
        case
            when fault is null and envelope <> 'single' and place is null then 'EMPTY_ENVELOPE'
            else fault
        end as fault,
        case when envelope = 'single' then body else event_out_of_envelope end as event_text,
        batch_fields,
        -- An event out of an envelope keeps an envelope of its own, so that it is read the same way
        -- should it wait.
        case
            when place is null or envelope = 'single' then value
            when envelope = 'array'
                then concat(
                    '[', coalesce({{ cdc_restore_numbers('event_out_of_envelope') }}, 'null'), ']'
                )
            else concat(
                substring(batch_fields, 1, length(batch_fields) - 1),
                case when batch_fields <> '{}' then ',' else '' end,
                '"events":[',
                coalesce({{ cdc_restore_numbers('event_out_of_envelope') }}, 'null'),
                ']}'
            )
        end as element,
        exists(map_keys(headers), name -> lower(trim(name)) like 'x-savegress-%') as is_webhook,
        {{ savegress_header('headers', ['x-savegress-signature']) }} as signature,
        case
            when exists(map_keys(headers), name -> lower(trim(name)) like 'x-savegress-%')
                then sha2(value, 256)
        end as body_sha256
    from events_taken_out
)

select * from final

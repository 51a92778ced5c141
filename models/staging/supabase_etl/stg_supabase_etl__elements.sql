with source as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        `key`,
        headers,
        stored_event,
        value,
        {{ supabase_etl_guarded(cdc_json_body('value')) }} as body
    from {{ cdc_new_messages('supabase_etl') }} as messages
),

tried as (
    select
        *,
        coalesce(json_array_length(concat('[', body, ']')), 0) = 1 as is_one_value,
        try_parse_json(concat('{"v":', body, '}')) is not null as repeats_no_key
    from source
),

-- The variant reader refuses repeated keys, even inside a user's own value:
-- what it refuses is read again without that rule.
checked as (
    select
        *,
        is_one_value
        and (
            repeats_no_key
            or from_json(
                concat('{"v":', body, '}'), 'map<string,string>', map('allowSingleQuotes', 'false')
            ) is not null
        ) as is_json
    from tried
),

envelopes_opened as (
    select
        *,
        case
            when is_json and startswith(body, '[') then from_json(body, 'array<string>')
        end as listed,
        case
            when is_json and startswith(body, '{') and contains(body, '"events"')
                then from_json(body, '`type` string, events array<string>')
        end as envelope
    from checked
),

elements_taken_out as (
    select
        envelopes_opened.*,
        taken.place,
        taken.taken_text
    from envelopes_opened
        lateral view outer posexplode(
            coalesce(
                listed,
                case
                    when
                        coalesce(
                            lower(envelope.`type`) not in (
                                {{ "'" ~ supabase_etl_variants() | join("', '") ~ "'" }}
                            ),
                            true
                        )
                        then envelope.events
                end,
                array(body)
            )
        ) taken as place, taken_text
),

renamed as (
    select
        source,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        `timestamp`,
        `key`,
        headers,
        value,
        coalesce(place, 0) as event_index,
        stored_event,
        case
            when value is null then 'TOMBSTONE'
            when not is_json then 'NOT_JSON'
            when place is null then 'EMPTY_ENVELOPE'
        end as fault,
        repeats_no_key,
        -- A string inside an array comes without its quotes.
        case
            when value is null then null
            when not is_json then value
            when place is null then body
            when taken_text is null then 'null'
            when lower(taken_text) = 'unsupported' then concat('"', taken_text, '"')
            else taken_text
        end as element_text
    from elements_taken_out
)

select * from renamed

with messages as (
    select
        {{ cdc_transport_columns() }},
        {{ cdc_json_body('value') }} as body
    from {{ cdc_messages('acme') }}
),

opened as (
    select
        {{ cdc_transport_columns('coalesce(event_index, position_in_list)') }},
        event
    from messages
        lateral view outer posexplode(
            case
                when startswith(body, '[') and {{ cdc_is_valid_json('body') }} then from_json(body, 'array<string>')
                else array(body)
            end
        ) as position_in_list, event
)

select * from opened

{%- set transport =
    'source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers, event_index, stored_event' %}

with new_events as (
    select
        {{ transport }},
        fault,
        repeats_no_key,
        element_text
    from {{ ref('stg_supabase_etl__elements') }}
),

-- They were taken out of their envelopes when they arrived.
events_decoded_again as (
    select
        {{ transport }},
        cast(null as string) as fault,
        true as repeats_no_key,
        {{ supabase_etl_guarded('value') }} as element_text
    from {{ cdc_stored_messages('supabase_etl') }} as stored_messages
)

select * from new_events
union all
select * from events_decoded_again

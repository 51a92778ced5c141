-- Where a change was carried is where its first delivery lies.
with changes as (
    select
        events.* except (landing_batch, topic, `partition`, `offset`, event_index),
        if(first_delivery is null, events.landing_batch, first_delivery.landing_batch) as landing_batch,
        if(first_delivery is null, events.topic, first_delivery.topic) as topic,
        if(first_delivery is null, events.`partition`, first_delivery.`partition`) as `partition`,
        if(first_delivery is null, events.`offset`, first_delivery.`offset`) as `offset`,
        if(first_delivery is null, events.event_index, first_delivery.event_index) as event_index
    from {{ cdc_events_of_marts() }} as events
    where status = 'change'
)

select {{ cdc_names(cdc_changelog_columns()) }}
from changes

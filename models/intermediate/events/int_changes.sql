-- Every event that is a change, with the place of its first delivery: the change lies where that does.
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

select {{ cdc_quoted_columns(cdc_changelog_columns() + cdc_internal_columns()) }}
from changes

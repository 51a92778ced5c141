-- Every event that is a change, with the place of its first delivery: the change lies where that does.
with changes as (
    select
        events.* except (landing_batch, topic, `partition`, `offset`, event_index),
        {{ cdc_of_first_delivery('events', 'landing_batch') }} as landing_batch,
        {{ cdc_of_first_delivery('events', 'topic') }} as topic,
        {{ cdc_of_first_delivery('events', 'partition') }} as `partition`,
        {{ cdc_of_first_delivery('events', 'offset') }} as `offset`,
        {{ cdc_of_first_delivery('events', 'event_index') }} as event_index
    from {{ cdc_events_of_marts() }} as events
    where status = 'change'
)

select {{ cdc_quoted_columns(cdc_changelog_columns() + cdc_internal_columns()) }}
from changes

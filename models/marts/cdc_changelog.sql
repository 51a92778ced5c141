select {{ cdc_names(cdc_changelog_columns()) }}
from {{ cdc_events_that_count(ref('int_events')) }} as events
where status = 'change'

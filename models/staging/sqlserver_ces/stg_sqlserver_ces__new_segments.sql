-- Every event of the new raw messages: a list may hold segments beside whole messages.
with events as (
    select
        source,
        explode({{ cdc_json_list_items(cdc_json_body('value')) }}) as event
    from {{ cdc_new_messages('sqlserver_ces') }}
)

select
    source,
    lower(get_json_object(event, '$.logicalid')) as schema_scope
from events
where not {{ sqlserver_ces_is_surely_whole('event') }}
group by source, lower(get_json_object(event, '$.logicalid'))

{{ config(materialized='view') }}
{%- set is_needed = cdc_load_plan().has_excluded_events %}
{%- set columns = cdc_parse_columns(
    'load_number bigint; event_number bigint; change_id string; reason_detail string'
) %}
-- depends_on: {{ cdc_seed('cdc_excluded_events') }}
-- depends_on: {{ ref('int_events') }}
{%- if not is_needed %}

select * from {{ cdc_no_rows(columns) }} as no_lines
{%- else %}

-- The lines of cdc_excluded_events, with blanks trimmed and empty fields as nulls.
with lines as (
    select
        lower(nullif(trim(change_id), '')) as change_id,
        nullif(trim(vendor), '') as vendor,
        nullif(trim(source), '') as source,
        trim(topic) as topic,
        `partition`,
        `offset`,
        event_index,
        concat('Excluded by ', trim(decided_by), ': ', trim(reason)) as reason_detail
    from {{ cdc_seed('cdc_excluded_events') }}
),

-- What was carried at a place that a line names: every delivery that has ever been stored is looked at.
events_at_places as (
    select
        events.load_number,
        events.event_number,
        events.vendor,
        events.source,
        events.status,
        events.change_id,
        events.identity_hash,
        lines.reason_detail
    from {{ ref('int_events') }} as events
    inner join lines
        on
            lines.change_id is null
            and events.topic = lines.topic
            and events.`partition` = lines.`partition`
            and events.`offset` = lines.`offset`
            and coalesce(events.event_index, 0) = coalesce(lines.event_index, events.event_index, 0)
            and events.vendor = coalesce(lines.vendor, events.vendor)
            and events.source = coalesce(lines.source, events.source)
),

-- The changes that are taken out, in all their deliveries: by their ids, by a place that one of them has, or by the
-- place of one of their segments.
excluded_changes as (
    select
        change_id,
        reason_detail
    from lines
    where change_id is not null
    union all
    select
        change_id,
        reason_detail
    from events_at_places
    where change_id is not null
    union all
    select
        wholes.change_id,
        segments.reason_detail
    from {{ ref('int_events') }} as wholes
    inner join events_at_places as segments
        on
            wholes.vendor = segments.vendor
            and wholes.source = segments.source
            and wholes.identity_hash = segments.identity_hash
    where
        segments.status = 'segment'
        and wholes.change_id is not null
),

-- Every change that is taken out, once, however many lines name it.
excluded_once as (
    select
        change_id,
        min(reason_detail) as reason_detail
    from excluded_changes
    group by change_id
),

-- The stored events that no later event replaces.
events_that_count as (
    select
        load_number,
        event_number,
        status,
        change_id
    from {{ cdc_effective_events(ref('int_events')) }} as counted
),

-- An event that was rejected has no id: its place names it.
excluded_rejects as (
    select
        events.load_number,
        events.event_number,
        min(places.reason_detail) as reason_detail
    from events_that_count as events
    inner join events_at_places as places
        on events.load_number = places.load_number and events.event_number = places.event_number
    where
        events.status = 'rejected'
        and events.change_id is null
    group by events.load_number, events.event_number
)

select
    events.load_number,
    events.event_number,
    events.change_id,
    excluded.reason_detail
from events_that_count as events
inner join excluded_once as excluded on events.change_id = excluded.change_id
union all
select
    load_number,
    event_number,
    cast(null as string) as change_id,
    reason_detail
from excluded_rejects
{%- endif %}

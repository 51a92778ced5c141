{{ config(materialized='table', file_format=cdc_work_format()) }}
{%- set waiting_vendors = cdc_load_plan().waiting_vendors %}
{%- set events = cdc_effective_events(cdc_stored_events()) if waiting_vendors else cdc_no_rows(cdc_event_columns()) %}
{%- set columns = cdc_parse_columns('vendor string; source string; schema_scope string; position string') %}
{%- set last_load = '(select max(last_load_number) from ' ~ ref('run_landing_batches') ~ ')' %}

-- What has come in this run and may change how stored events are decoded: a scope of events, and from which position
-- on.
with late_schemas as (
    {%- for spec in cdc_vendors() if spec.schemas_model and spec.name in waiting_vendors %}
    select
        '{{ spec.name }}' as vendor,
        source,
        explode(schema_scopes) as schema_scope,
        coalesce(substring_index(position, '/', 1), '') as position
    from {{ ref(spec.schemas_model) }}
    where load_number > {{ last_load }}
    union all
    {%- endfor %}
    {%- for spec in cdc_vendors() if spec.segments_model and spec.name in waiting_vendors %}
    -- Another segment of a change may change how the change is joined; one that waits is read beside the others.
    select
        '{{ spec.name }}' as vendor,
        source,
        schema_scope,
        '' as position
    from {{ ref(spec.segments_model) }}
    union all
    select
        vendor,
        source,
        schema_scope,
        '' as position
    from {{ events }} as events
    where
        vendor = '{{ spec.name }}'
        and status = 'pending'
        and schema_scope is not null
    union all
    {%- endfor %}
    select * from {{ cdc_no_rows(columns) }} as no_schemas
),

-- Every such scope once, with its first position.
scopes as (
    select
        vendor,
        source,
        schema_scope,
        min(position) as first_position
    from late_schemas
    group by vendor, source, schema_scope
)

select
    events.vendor,
    events.event as value,
    events.message_key as `key`,
    events.headers,
    events.topic,
    events.`partition`,
    events.`offset`,
    events.message_timestamp as `timestamp`,
    events.source,
    events.landing_batch,
    events.event_index,
    concat(events.load_number, '/', events.event_number) as redecoded_event_id
from {{ events }} as events
left join scopes
    on
        events.vendor = scopes.vendor
        and events.source = scopes.source
        and events.schema_scope = scopes.schema_scope
where
    events.status = 'pending'
    or (
        events.status in ('change', 'segment', 'rejected')
        and coalesce(events.position >= scopes.first_position, scopes.schema_scope is not null)
    )

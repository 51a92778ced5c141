{#- Files are left out by ranges of these columns; on Iceberg, which the second property is for, by ranges of all. -#}
{{
    config(
        materialized='incremental',
        incremental_strategy='append',
        full_refresh=cdc_is_rebuild(),
        on_schema_change='append_new_columns',
        tblproperties={
            'delta.dataSkippingStatsColumns': 'vendor,source,schema_name,table_name,operation,status,after_image,epoch,'
                ~ 'position,committed_at,landing_batch,row_id_before,replaced_because,load_number',
            'write.metadata.metrics.max-inferred-column-defaults': '100',
        },
    )
}}
{%- set plan = cdc_duplicates_plan() %}
{%- set decision_count = plan.decision_count %}
{%- set takes_stored_columns = is_incremental() and decision_count != 0 and plan.takes_stored_columns %}
{#- The columns that an event has of its own; all others come from the delivery that decides about its change. -#}
{%- set own_columns = [
    'change_id', 'status', 'landing_batch', 'topic', 'partition', 'offset', 'event_index', 'load_number',
    'event_number', 'is_delivery', 'first_delivery', 'deciding_delivery', 'replaces', 'replaced_because',
] %}
{%- set columns = cdc_event_columns() | map(attribute='name') | reject('equalto', 'warnings') | list %}
{%- set delivery_columns = columns | reject('in', own_columns) | list %}

-- The events of this run. They are appended once, even where the statement is sent a second time.
with new_events as (
    select *
    from {{ ref('int_new_events') }}
    {%- if is_incremental() %}
    where load_number > (select coalesce(max(stored.load_number), 0) from {{ this }} as stored)
    {%- endif %}
),

-- Every new event, and whether it claims a time or a position that cannot be: it stays, and says so.
checked as (
    select
        *,
        {{ cdc_is_future_time('coalesce(committed_at, snapshot_at)') }} as is_future_time,
        {{ cdc_is_future_position('position') }} as is_future_position
    from new_events
),
{%- if decision_count == 0 %}

-- No new event is a further delivery, or is decoded again: each is kept as it is.
with_columns as (
    select
        *,
        cast(null as {{ cdc_delivery_type() }}) as first_delivery,
        cast(null as {{ cdc_delivery_type() }}) as deciding_delivery,
        true as is_delivery,
        cast(null as array<struct<load_number: bigint, event_number: bigint>>) as replaces,
        cast(null as string) as replaced_because,
        false as is_conflicting
    from checked
),
{%- else %}

-- Every new event that is kept, with its decision where it has one. Few decisions are sent to all tasks: without the
-- hint Spark sorts the new events, with their images, to join them.
decided as (
    select{{ ' /*+ broadcast(decisions) */' if decision_count and decision_count <= 500000 }}
        new_events.* except (status),
        coalesce(decisions.status, new_events.status) as status,
        coalesce(decisions.is_conflicting, false) as is_conflicting,
        decisions.first_delivery,
        decisions.deciding_delivery,
        decisions.deciding_event_id,
        new_events.redecoded_event_id is null as is_delivery,
        decisions.replaces,
        decisions.replaced_because
    from checked as new_events
    left join {{ ref('int_event_decisions') }} as decisions on new_events.event_number = decisions.event_number
    where coalesce(decisions.is_kept, true)
),
{%- if takes_stored_columns %}

-- Every event that is kept. One that does no more than move its change to a lesser place has the columns of the stored
-- delivery that decides about the change.
with_columns as (
    select
        {%- for column in own_columns + delivery_columns %}
        `{{ column }}`,
        {%- endfor %}
        warnings,
        is_conflicting,
        is_future_time,
        is_future_position
    from decided
    where deciding_event_id is null
    union all
    select /*+ broadcast(decided) */
        {%- for column in own_columns %}
        decided.`{{ column }}`,
        {%- endfor %}
        {%- for column in delivery_columns %}
        stored.`{{ column }}`,
        {%- endfor %}
        nullif(array_except(stored.warnings, array('CONFLICTING_DELIVERIES')), array()) as warnings,
        decided.is_conflicting,
        false as is_future_time,
        false as is_future_position
    from {{ this }} as stored
    inner join decided
        on
            stored.load_number = decided.deciding_event_id.load_number
            and stored.event_number = decided.deciding_event_id.event_number
    where decided.deciding_event_id is not null
),
{%- endif %}
{%- endif %}

-- Every event that is stored, with all its warnings.
with_warnings as (
    select
        * except (warnings),
        case
            when is_future_time or is_future_position or is_conflicting
                then concat(
                    coalesce(warnings, array()),
                    if(is_future_time, array('FUTURE_TIME'), array()),
                    if(is_future_position, array('FUTURE_POSITION'), array()),
                    if(is_conflicting, array('CONFLICTING_DELIVERIES'), array())
                )
            else warnings
        end as warnings
    from {{ 'with_columns' if decision_count == 0 or takes_stored_columns else 'decided' }}
)

select {{ cdc_quoted_columns(cdc_event_columns()) }}
from with_warnings

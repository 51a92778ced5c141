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
{%- set decision_count = cdc_decision_count() %}
{%- set of_delivery = [
    'position', 'committed_at', 'snapshot_at', 'transaction_index', 'transaction_id', 'is_transaction_end', 'event',
] %}

with new_events as (
    select *
    from {{ ref('int_new_events') }}
    {%- if is_incremental() %}
    where load_number > (select coalesce(max(stored.load_number), 0) from {{ this }} as stored)
    {%- endif %}
),
{%- if decision_count == 0 %}

-- No new event is a further delivery, or is decoded again: each is kept as it is.
with_decisions as (
    select
        *,
        cast(null as {{ cdc_first_delivery_type() }}) as first_delivery,
        true as is_delivery,
        cast(null as array<struct<load_number: bigint, event_number: bigint>>) as replaces,
        cast(null as string) as replaced_because
    from new_events
)
{%- else %}

-- Few decisions are sent to all tasks: without the hint Spark sorts the new events, with their images, to join them.
with_decisions as (
    select{{ ' /*+ broadcast(decisions) */' if decision_count and decision_count <= 500000 }}
        new_events.* except (status, warnings, {{ of_delivery | join(', ') }}),
        coalesce(decisions.status, new_events.status) as status,
        case
            when decisions.is_conflicting
                then array_append(coalesce(new_events.warnings, array()), 'CONFLICTING_DELIVERIES')
            else new_events.warnings
        end as warnings,
        {%- for column in of_delivery %}
        if(decisions.delivery is null, new_events.{{ column }}, decisions.delivery.{{ column }}) as {{ column }},
        {%- endfor %}
        decisions.first_delivery,
        new_events.stored_event is null as is_delivery,
        decisions.replaces,
        decisions.replaced_because
    from new_events
    left join {{ ref('int_event_decisions') }} as decisions on new_events.event_number = decisions.event_number
    where coalesce(decisions.is_kept, true)
)
{%- endif %},

-- Whether a change claims a time or a position that cannot be: it stays, and says so.
checked as (
    select
        *,
        {{ cdc_is_future_time('coalesce(committed_at, snapshot_at)') }} as is_future_time,
        {{ cdc_is_future_position('position') }} as is_future_position
    from with_decisions
),

with_warnings as (
    select
        * except (warnings),
        case
            when is_future_time or is_future_position
                then concat(
                    coalesce(warnings, array()),
                    if(is_future_time, array('FUTURE_TIME'), array()),
                    if(is_future_position, array('FUTURE_POSITION'), array())
                )
            else warnings
        end as warnings
    from checked
)

select {{ cdc_names(cdc_event_columns()) }}
from with_warnings

{#- int_table_events is compiled first and asks for the plan of the rows: at the same time, each model would ask. -#}
-- depends_on: {{ ref('int_table_events') }}
{%- set plan = cdc_rows_plan() %}

-- The events that were stored since the row versions were last built.
with new_events as (
    select * from {{ ref('int_events') }}
    where load_number > {{ plan.built_to }}
),

-- The changes among them, the changes that one of them replaces, those that are excluded because a new delivery of them
-- lies where a line of cdc_excluded_events says, and those that come into view now, or leave it.
changed as (
    select
        *,
        false as is_replaced
    from new_events
    {%- if plan.replaces %}
    union all
    select
        *,
        true as is_replaced
    from {{ ref('int_events') }}
    where (load_number, event_number) in (select inline(new_events.replaces) from new_events)
    {%- endif %}
    {%- if plan.excluded %}
    union all
    select
        *,
        true as is_replaced
    from {{ ref('int_events') }}
    where
        (load_number, event_number) in (
            select excluded.event_id.load_number, excluded.event_id.event_number
            from ({{ cdc_excluded_event_ids(plan.excluded_events) }}) as excluded
        )
        and change_id in (select new_events.change_id from new_events)
    {%- endif %}
    {%- if cdc_shows_whole_transactions() %}
    union all
    select
        moved.* except (is_hidden),
        moved.is_hidden as is_replaced
    from {{ cdc_changes_that_move_into_view() }} as moved
    {%- endif %}
)

select
    load_number,
    event_number,
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    operation,
    epoch,
    row_id,
    row_id_before,
    coalesce(committed_at, snapshot_at) as happened_at,
    change_id,
    transaction_id,
    ends_table,
    ended_columns,
    table_identity,
    is_replaced
from changed
where status = 'change'

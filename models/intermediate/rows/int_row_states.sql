{%- set plan = cdc_rows_plan() %}
{%- if plan.folding %}

-- Every event of the rows that this run builds, and whether its group has to be folded, event by event: where an image
-- is partial, or a key change takes values along, what a row holds depends on its past.
with marked_to_fold as (
    select
        *,
        max(
            key_change is not null
            or (operation in ('insert', 'update', 'snapshot') and after_image <> 'full')
        ) over (partition by row_group) as is_folded
    from {{ ref('int_row_events') }}
),
{%- else %}

-- Every event of the rows that this run builds. No group has to be folded.
with marked_to_fold as (
    select
        *,
        false as is_folded
    from {{ ref('int_row_events') }}
),
{%- endif %}
{%- if plan.large_groups %}

-- The same, and whether the group has too many events for one array.
events as (
    select
        *,
        count(*) over (partition by row_group) > {{ cdc_largest_array_of_changes() }} as is_of_large_group
    from marked_to_fold
),
{%- else %}

-- The same. No group has too many events for one array.
events as (
    select
        *,
        false as is_of_large_group
    from marked_to_fold
),
{%- endif %}

-- Events of groups in which every image is full: the image is the state, and nothing has to be remembered.
replaced_by_images as (
    select
        *,
        case
            when operation = 'delete' or is_reset then 'close'
            when operation = 'columns' then 'none'
            else 'upsert'
        end as effect,
        case when operation = 'delete' then before else after end as state,
        false as state_is_partial,
        cast(null as string) as displaced_by,
        cast(null as string) as displaced_moved_to_row_key
    from events
    where not is_folded
)
{%- if plan.folding %},

-- One row per group that is folded, with its events as a list in their order.
groups_in_order as (
    select
        transform(
            array_sort(collect_list(struct(sort_key, struct(events.*) as event))),
            item -> item.event
        ) as group_events
    from events
    where
        is_folded
        and not is_of_large_group
    group by row_group
),

-- The same, with what folding needs to know of each event.
groups_to_fold as (
    select
        group_events,
        transform(
            group_events,
            event -> struct(
                event.row_id as row_id,
                event.key_change as side,
                event.operation as operation,
                event.after as image,
                event.after_image as image_kind,
                event.row_columns as row_columns,
                event.ended_columns as ended_columns,
                {{ cdc_transaction_scope('event.') }} as transaction_scope,
                event.change_id as change_id,
                event.moved_to_row_key as moved_to_row_key
                {%- if not cdc_calls_python() %},
                {{ cdc_split_columns("coalesce(event.after, '{}')") }} as columns
                {%- endif %}
            )
        ) as changes
    from groups_in_order
),

-- Every such group with a list of results, one for each of its events.
folded_groups as (
    select
        group_events,
        {%- if cdc_calls_python() %}
        cdc_fold_rows(changes) as results
        {%- else %}
        {{ cdc_fold_rows_in_sql('changes') }} as results
        {%- endif %}
    from groups_to_fold
),

-- Every event of a folded group with its result.
folded as (
    select
        pair.group_events.*,
        pair.results.effect as effect,
        if(pair.results.effect = 'upsert', pair.results.`row`, pair.group_events.before) as state,
        pair.results.is_partial as state_is_partial,
        pair.results.displaced_by as displaced_by,
        pair.results.displaced_moved_to_row_key as displaced_moved_to_row_key
    from folded_groups
        lateral view explode(arrays_zip(group_events, results)) exploded as pair
)
{%- endif %}
{%- if plan.large_groups %},

-- Of a group with so many changes that no array should hold them, the changes are folded one by one.
events_of_large_groups as (
    select
        *,
        row_number() over (partition by row_group order by sort_key asc) as number_in_group
    from events
    where
        is_folded
        and is_of_large_group
),

-- One result for each of them.
results_of_large_groups as (
    select *
    from {{ cdc_fold_one_by_one('events_of_large_groups') }}
),

-- Every event of a large group with its result.
folded_one_by_one as (
    select
        events.* except (number_in_group),
        results.effect,
        if(results.effect = 'upsert', results.`row`, events.before) as state,
        results.is_partial as state_is_partial,
        results.displaced_by,
        results.displaced_moved_to_row_key
    from events_of_large_groups as events
    inner join results_of_large_groups as results
        on
            events.row_group = results.row_group
            and events.number_in_group = results.number_in_group
)
{%- endif %}

select * from replaced_by_images
{%- if plan.folding %}
union all
select * from folded
{%- endif %}
{%- if plan.large_groups %}
union all
select * from folded_one_by_one
{%- endif %}

{%- set facts = cdc_row_facts() %}
{%- set order_columns = cdc_row_order(facts.without_position) %}
{%- set needs_a_past =
    "key_change is not null or (operation in ('insert', 'update', 'snapshot') and after_image <> 'full')" %}
{%- set is_folded = 'max(' ~ needs_a_past ~ ') over (partition by row_group)' if facts.folding else 'false' %}

with events as (
    select
        *,
        {{ is_folded }} as is_folded
    from {{ ref('int_row_events') }}
),

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
{%- if facts.folding %},

groups_in_order as (
    select
        transform(
            array_sort(collect_list(struct({{ order_columns | join(', ') }}, struct(events.*) as event))),
            item -> item.event
        ) as group_events
    from events
    where is_folded
    group by row_group
),

folded_groups as (
    select
        group_events,
        cdc_fold_rows(transform(
            group_events,
            event -> struct(
                event.row_id as row_id,
                event.key_change as half,
                event.operation as operation,
                event.after as image,
                event.after_image as image_kind,
                event.row_columns as row_columns,
                event.ended_columns as ended_columns,
                concat(
                    event.epoch, ':', coalesce(event.transaction_id, substring_index(event.position, '/', 1))
                ) as transaction_scope,
                event.change_id as change_id,
                event.moved_to_row_key as moved_to_row_key
            )
        )) as results
    from groups_in_order
),

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

select * from replaced_by_images
{{ 'union all select * from folded' if facts.folding }}

{{
    config(
        materialized='cdc_table',
        cdc_write='merge',
        cdc_all_rows=true,
        unique_key=['row_id', 'version_number'],
        tags=['python_udf'],
        pre_hook=["{{ cdc_note_visible_to() }}", "{{ cdc_note_all_rows_begun() }}"],
        post_hook="{{ cdc_record_watermark() }}",
    )
}}
{#- A first build makes the states of all rows, a later run those of the touched rows; the SQL between is the same. -#}
{%- set only_touched_rows = not cdc_makes_all_rows() -%}
{%- set needs = cdc_row_needs() -%}
{%- set table_columns = ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] -%}
{%- set total_order = 'order_epoch asc, order_position asc, anchor_rank asc, anchor_change_id asc, order_after asc, '
    ~ 'order_at asc, order_rank asc, change_id asc, half asc nulls first' -%}
{%- set in_order = 'partition by row_id order by ' ~ total_order -%}
{%- set so_far = in_order ~ ' rows between unbounded preceding and current row' -%}
{%- set in_all = in_order ~ ' rows between unbounded preceding and unbounded following' %}

-- After the load is finished, so that a mark of what is made is never ahead of it.
-- depends_on: {{ ref('cdc_loads') }}

-- 1. What happened to each row, in order (S3, S9). A key change happens to two rows: it goes out of one key and in to
-- the other. Truncates and resets are not events of a row: how many of its table lie before an event says it all.
with events as (
    {{ cdc_row_events(only_touched_rows, with_moves=needs.folding) | indent(4) }}
),

placed_events as (
    select
        events.*,
        {%- if needs.placing %}
        coalesce(events.position, placements.order_position, '') as order_position,
        if(events.position is null, coalesce(placements.anchor_rank, 0), events.order_rank) as anchor_rank,
        if(events.position is null, coalesce(placements.anchor_change_id, ''), events.change_id) as anchor_change_id,
        {%- else %}
        coalesce(events.position, '') as order_position,
        if(events.position is null, 0, events.order_rank) as anchor_rank,
        if(events.position is null, '', events.change_id) as anchor_change_id,
        {%- endif %}
        {%- if needs.folding %}
        special_rows.is_folded,
        special_rows.group_id,
        {%- endif %}
        if(events.position is null, 1, 0) as order_after,
        if(events.position is null, coalesce(events.happened_at, {{ cdc_no_time() }}), {{ cdc_no_time() }}) as order_at
    from events
    {{ cdc_placements_join('events') if needs.placing }}
    {{ cdc_special_rows_join('events') if needs.folding }}
),

-- 2. Two events of a row with different counts of barriers lie in different lives of the table.
events_among_barriers as (
    select
        placed_events.*,
        {%- if needs.barriers %}
        table_barriers.barriers,
        case
            when table_barriers.barriers is null then 0
            else size(filter(
                table_barriers.barriers,
                barrier -> barrier.placed_at < struct(
                    placed_events.order_epoch as epoch,
                    placed_events.order_position as order_position,
                    placed_events.anchor_rank as anchor_rank,
                    placed_events.anchor_change_id as anchor_change_id,
                    placed_events.order_after as order_after,
                    placed_events.order_at as order_at,
                    placed_events.order_rank as order_rank,
                    placed_events.change_id as order_change_id
                )
            ))
        end as barrier_count
        {%- else %}
        (
            select none_known.barriers from {{ ref('cdc_table_barriers') }} as none_known
            where false
        ) as barriers,
        0 as barrier_count
        {%- endif %}
    from placed_events
    {{ cdc_barriers_join('placed_events') if needs.barriers }}
),

-- 3. What each event leaves in its row; for one that ends the row, what it told of it. A full image is the row; where
-- images are partial or keys change, the row's past is folded in (Python, only those rows).
full_image_events as (
    select
        events_among_barriers.*,
        if(operation = 'delete', 'close', 'upsert') as effect,
        if(operation = 'delete', image_before, image) as state,
        false as state_is_partial,
        cast(null as string) as displaced_by,
        cast(null as string) as displaced_moved_to_row_key
    from events_among_barriers
    {%- if needs.folding %}
    where not coalesce(is_folded, false)
    {%- endif %}
),
{%- if needs.folding %}

events_to_fold as (
    select
        group_id,
        struct(
            order_epoch, order_position, anchor_rank, anchor_change_id, order_after, order_at, order_rank, change_id,
            -- of a key change's two halves the old key is left first
            if(half = 'in', 1, 0) as half_order,
            struct(events_among_barriers.*) as event
        ) as ordered_event
    from events_among_barriers
    where is_folded
),

groups_to_fold as (
    select
        group_id,
        transform(array_sort(collect_list(ordered_event)), ordered_event -> ordered_event.event) as group_events
    from events_to_fold
    group by group_id
),

folded_groups as (
    select
        group_events,
        cdc_fold_rows(transform(
            group_events,
            event -> struct(
                event.row_id as row_id,
                event.half as half,
                event.operation as operation,
                event.image as image,
                event.image_kind as image_kind,
                event.barrier_count as barrier_count,
                event.transaction_scope as transaction_scope,
                event.change_id as change_id,
                event.moved_to_row_key as moved_to_row_key
            )
        )) as results
    from groups_to_fold
),

folded_pairs as (
    select
        pair.group_events as event,
        pair.results as result
    from folded_groups
        lateral view explode(arrays_zip(group_events, results)) exploded as pair
),

folded_events as (
    select
        event.*,
        result.effect as effect,
        if(result.effect = 'upsert', result.`row`, event.image_before) as state,
        result.is_partial as state_is_partial,
        result.displaced_by as displaced_by,
        result.displaced_moved_to_row_key as displaced_moved_to_row_key
    from folded_pairs
),
{%- endif %}

settled_events as (
    select * from full_image_events
    {%- if needs.folding %}
    union all
    select * from folded_events
    {%- endif %}
),

-- 4. Versions: where one opens, where the row ends (S6, S7, S10).
timed_events as (
    select
        settled_events.*,
        {%- if needs.ignoring %}
        {{ cdc_tracked_columns(
            'settled_events.state', 'settled_events.source', 'settled_events.schema_name'
        ) }} as tracked_columns,
        {%- else %}
        cast(null as string) as tracked_columns,
        {%- endif %}
        greatest(
            settled_events.happened_at,
            case when barrier_count > 0 then get(barriers, barrier_count - 1).running_at end
        ) as not_before
    from settled_events
    {{ cdc_table_settings_join('settled_events.vendor', 'settled_events.table_name') if needs.ignoring }}
),

events_with_running_time as (
    select
        *,
        max(not_before) over ({{ so_far }}) as running_at,
        max(case when effect = 'upsert' then not_before end) over ({{ so_far }}) as not_before_last_live,
        min(happened_at) over ({{ in_all }}) as first_seen_at
    from timed_events
),

-- What acted on a row that had been displaced from its key has no effect on the row that took the key.
effective_events as (
    select * from events_with_running_time
    where effect <> 'none'
),

events_with_their_past as (
    select
        *,
        lag(effect) over ({{ in_order }}) as previous_effect,
        lag(barrier_count) over ({{ in_order }}) as previous_barrier_count,
        lag(state) over ({{ in_order }}) as previous_state,
        lag(tracked_columns) over ({{ in_order }}) as previous_tracked_columns,
        row_number() over ({{ in_order }}) as event_number
    from effective_events
),

events_and_what_is_tracked as (
    select
        *,
        coalesce(tracked_columns, state) as tracked,
        coalesce(previous_tracked_columns, previous_state) as previous_tracked
    from events_with_their_past
),

events_that_open as (
    select
        *,
        coalesce(previous_effect = 'upsert' and previous_barrier_count = barrier_count, false) as was_live,
        effect = 'upsert'
        and (
            half is not null
            or not coalesce(previous_effect = 'upsert' and previous_barrier_count = barrier_count, false)
            or not {{ cdc_same_row('tracked', 'previous_tracked') }}
        ) as opens
    from events_and_what_is_tracked
),

events_in_versions as (
    select
        *,
        count_if(opens) over ({{ so_far }}) as version_number,
        last_value(
            case
                when opens
                    then struct(
                        change_id,
                        case when half = 'in' then 'key_change' else operation end as opened_by,
                        running_at as valid_from,
                        order_epoch as epoch,
                        nullif(order_position, '') as position,
                        moved_from_row_key,
                        event_number
                    )
            end,
            true
        ) over ({{ so_far }}) as opening,
        last_value(
            case
                when effect = 'upsert' then struct(cast(null as timestamp) as deleted_at)
                when was_live or previous_effect is null then struct(running_at as deleted_at)
                when previous_effect = 'upsert'
                    then struct(
                        greatest(get(barriers, previous_barrier_count).running_at, not_before_last_live) as deleted_at
                    )
            end,
            true
        ) over ({{ so_far }}) as death
    from events_that_open
),

events_with_their_future as (
    select
        *,
        lead(struct(
            effect, opens, half, running_at, order_epoch, nullif(order_position, '') as position,
            barrier_count, moved_to_row_key, displaced_by, displaced_moved_to_row_key
        )) over ({{ in_order }}) as next,
        max(version_number) over ({{ in_all }}) as version_count,
        last_value(struct(
            operation, effect, order_epoch as epoch, position, running_at, committed_at, change_id, barrier_count,
            death.deleted_at as deleted_at
        )) over ({{ in_all }}) as last_event
    from events_in_versions
),

-- A version is told by its last event; a row that never lived by its last event too.
version_ends as (
    select
        *,
        case
            when
                effect = 'upsert' and size(barriers) > barrier_count
                and (next is null or next.barrier_count > barrier_count)
                then get(barriers, barrier_count)
        end as ending_barrier,
        case
            when last_event.effect = 'upsert' and size(barriers) > last_event.barrier_count
                then get(barriers, last_event.barrier_count)
        end as last_barrier
    from events_with_their_future
    where
        (effect = 'upsert' and (next is null or next.effect = 'close' or next.opens))
        or (next is null and version_count = 0)
),

row_records as (
    select
        row_id,
        {{ table_columns | join(', ') }},
        row_key,
        cast(if(version_count = 0, 0, version_number) as int) as version_number,
        state as `row`,
        if(version_count = 0, cast(null as timestamp), opening.valid_from) as valid_from,
        case
            when ending_barrier is not null then greatest(ending_barrier.running_at, running_at)
            when next is not null then next.running_at
        end as valid_to,
        if(version_count = 0, cast(null as int), opening.epoch) as valid_from_epoch,
        if(version_count = 0, cast(null as string), opening.position) as valid_from_position,
        case
            when ending_barrier is not null then ending_barrier.epoch
            when next is not null then next.order_epoch
        end as valid_to_epoch,
        case
            when ending_barrier is not null then ending_barrier.position
            when next is not null then next.position
        end as valid_to_position,
        effect = 'upsert' and next is null and ending_barrier is null as is_current,
        if(version_count = 0, cast(null as string), opening.opened_by) as opened_by,
        case
            when version_count = 0 then cast(null as string)
            when ending_barrier is not null then ending_barrier.kind
            when next.effect = 'close' and next.half = 'out' then 'key_change'
            when next.effect = 'close' then 'delete'
            when next.displaced_by is not null then next.displaced_by
            when next is not null then 'update'
        end as closed_by,
        if(version_count = 0, cast(null as string), opening.moved_from_row_key) as moved_from_row_key,
        case
            when ending_barrier is not null then cast(null as string)
            else coalesce(next.moved_to_row_key, next.displaced_moved_to_row_key)
        end as moved_to_row_key,
        if(version_count = 0, 0, event_number - opening.event_number + 1) as change_count,
        if(version_count = 0, cast(null as string), opening.change_id) as change_id,
        version_number = version_count as is_latest,
        case when version_number = version_count then struct(
            if(version_count = 0, not coalesce(image_before_kind = 'full', false), state_is_partial) as is_partial,
            if(last_barrier is null, last_event.operation, last_barrier.kind) as operation,
            if(last_barrier is null, last_event.epoch, last_barrier.epoch) as epoch,
            if(last_barrier is null, last_event.position, last_barrier.position) as position,
            if(last_barrier is null, last_event.committed_at, last_barrier.happened_at) as committed_at,
            if(last_barrier is null, last_event.change_id, nullif(last_barrier.change_id, '')) as change_id,
            first_seen_at,
            if(last_barrier is null, last_event.deleted_at, greatest(last_barrier.running_at, last_event.running_at))
                as deleted_at,
            cast(version_count as int) as version_count
        ) end as latest
    from version_ends
),

hashed_records as (
    select
        *,
        xxhash64(*) as record_hash
    from row_records
)
{%- if only_touched_rows %},

-- 5. Only what differs from the stored records is written.
stored_records as (
    select
        stored.row_id,
        stored.version_number,
        stored.record_hash
    from {{ this }} as stored
    left semi join {{ ref('cdc_run_touched_rows') }} as touched on stored.row_id = touched.row_id
),

made_and_stored as (
    select
        hashed_records.*,
        cast(null as bigint) as stored_hash,
        true as is_made
    from hashed_records
    union all
    select
        {%- for column in cdc_row_state_columns() %}
        {%- if column.name in ['row_id', 'version_number'] %}
        {{ column.name }},
        {%- else %}
        cast(null as {{ column.type }}) as `{{ column.name }}`,
        {%- endif %}
        {%- endfor %}
        record_hash as stored_hash,
        false as is_made
    from stored_records
),

compared_records as (
    select
        *,
        max(stored_hash) over (partition by row_id, version_number) as hash_before,
        max(is_made) over (partition by row_id, version_number) as is_made_again
    from made_and_stored
),

final as (
    select
        {%- for column in cdc_row_state_columns() %}
        `{{ column.name }}`,
        {%- endfor %}
        not is_made as is_removed
    from compared_records
    where (is_made and not (record_hash <=> hash_before)) or (not is_made and not is_made_again)
)
{%- else %},

final as (
    select * from hashed_records
)
{%- endif %}

select * from final

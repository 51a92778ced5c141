{{ config(materialized='cdc_table', cdc_write='replace', file_format=cdc_work_format()) }}
{%- set table_columns = ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] %}
{%- if not cdc_row_needs().placing %}

{{ cdc_no_rows() }}
{%- else %}

with rows_placed_by_time as (
    select row_id from {{ ref('cdc_run_special_rows') }}
    where is_placed_by_time
),

events as (
    select row_events.*
    from (
        {{ cdc_row_events(not cdc_makes_all_rows()) | indent(8) }}
    ) as row_events
    left semi join rows_placed_by_time on row_events.row_id = rows_placed_by_time.row_id
),

tables_of_the_rows as (
    select distinct {{ table_columns | join(', ') }}, row_id from events
),

-- Truncates count as changes of every row.
positions as (
    select
        row_id,
        order_epoch,
        position as order_position,
        0 as order_after,
        order_rank,
        change_id,
        committed_at as own_time
    from events
    where position is not null
    union all
    select
        tables_of_the_rows.row_id,
        barrier.placed_at.epoch,
        barrier.placed_at.order_position,
        barrier.placed_at.order_after,
        barrier.placed_at.anchor_rank,
        barrier.placed_at.anchor_change_id,
        barrier.happened_at
    from tables_of_the_rows
    inner join {{ ref('cdc_table_barriers') }} as table_barriers
        on
            tables_of_the_rows.vendor <=> table_barriers.vendor
            and tables_of_the_rows.source <=> table_barriers.source
            and tables_of_the_rows.database_name <=> table_barriers.database_name
            and tables_of_the_rows.schema_name <=> table_barriers.schema_name
            and tables_of_the_rows.table_name <=> table_barriers.table_name
        lateral view explode(table_barriers.barriers) exploded as barrier
),

positions_with_running_time as (
    select
        *,
        case
            when own_time is not null
                then max(own_time) over (
                    partition by row_id
                    order by order_epoch asc, order_position asc, order_after asc, order_rank asc, change_id asc
                    rows between unbounded preceding and current row
                )
        end as running_at
    from positions
),

-- A change without a time counts as later than a placed event, unless one after it is known to be earlier.
positions_with_time_reached as (
    select
        row_id,
        order_epoch,
        order_position,
        order_rank,
        change_id,
        min(running_at) over (
            partition by row_id, order_epoch
            order by order_position desc, order_after desc, order_rank desc, change_id desc
            rows between unbounded preceding and current row
        ) as reached_at
    from positions_with_running_time
),

positions_and_events_to_place as (
    select
        row_id,
        order_epoch,
        order_position,
        order_rank,
        change_id,
        coalesce(reached_at, timestamp '9999-12-31 23:59:59.999999') as at_time,
        true as is_position
    from positions_with_time_reached
    union all
    select
        row_id,
        order_epoch,
        cast(null as string) as order_position,
        order_rank,
        change_id,
        coalesce(placement_at, {{ cdc_no_time() }}) as at_time,
        false as is_position
    from events
    where position is null
),

-- On equal times the change wins: it comes after what is placed. A reset begins an epoch and takes part in its running
-- time, but nothing is placed after it: what has no position and no change before it goes to the start.
placed as (
    select
        row_id,
        change_id,
        is_position,
        max(
            case
                when is_position and order_rank >= 0
                    then struct(order_position, order_rank as anchor_rank, change_id as anchor_change_id)
            end
        ) over (
            partition by row_id, order_epoch
            order by at_time asc, is_position asc, order_position asc nulls first, change_id asc
            rows between unbounded preceding and current row
        ) as anchor
    from positions_and_events_to_place
),

-- A key change happens to two rows at one moment: it is placed in both where it comes later.
placed_in_all_its_rows as (
    select
        row_id,
        change_id,
        max(anchor) over (partition by change_id) as anchor
    from placed
    where not is_position
),

final as (
    select
        row_id,
        change_id,
        anchor.order_position,
        anchor.anchor_rank,
        anchor.anchor_change_id
    from placed_in_all_its_rows
    where anchor is not null
)

select * from final
{%- endif %}

{%- set plan = cdc_rows_plan() %}

-- The changes of rows that are shown.
with changes as (
    select
        *,
        {{ cdc_transport_order() }} as transport_order
    from {{ cdc_visible_changes() }} as visible_changes
    where operation in ('insert', 'update', 'delete', 'snapshot')
),
{%- if plan.key_changes %}

-- The same. A change of a key stands here twice: it goes out of one row and comes in at another.
changes_of_rows as (
    select
        *,
        explode(if(row_id_before is null, array(cast(null as string)), array('out', 'in'))) as key_change
    from changes
),
{%- else %}

-- The same. No change is one of a key.
changes_of_rows as (
    select
        *,
        cast(null as string) as key_change
    from changes
),
{%- endif %}

-- One row per change and row that it acts on: a key change takes the old row away and leaves its image at the new one.
events_of_rows as (
    select
        if(key_change = 'out', row_id_before, row_id) as row_id,
        if(key_change = 'out', row_key_before, row_key) as row_key,
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        operation,
        epoch,
        position,
        transport_order,
        change_id,
        committed_at,
        snapshot_at,
        transaction_id,
        before,
        before_image,
        if(key_change = 'out', null, after) as after,
        if(key_change = 'out', 'none', after_image) as after_image,
        row_columns,
        cast(null as array<string>) as ended_columns,
        table_identity,
        key_change,
        if(key_change = 'in', row_key_before, null) as moved_from_row_key,
        if(key_change = 'out', row_key, null) as moved_to_row_key
    from changes_of_rows
),
{%- if not plan.builds_all_rows %}

-- Those of the rows that this run builds, with the group of rows that each is built in: rows that key changes connect
-- are built together, every other row by itself.
events_of_affected_rows as (
    select
        events.*,
        {{ 'coalesce(affected.row_group, events.row_id)' if plan.key_changes else 'events.row_id' }} as row_group
    from events_of_rows as events
    inner join {{ ref('int_affected_rows') }} as affected on events.row_id = affected.row_id
),
{%- elif plan.key_changes %}

-- All of them, with the group of rows that each is built in: rows that key changes connect are built together, every
-- other row by itself.
events_of_affected_rows as (
    select
        events.*,
        coalesce(affected.row_group, events.row_id) as row_group
    from events_of_rows as events
    left join {{ ref('int_affected_rows') }} as affected on events.row_id = affected.row_id
),
{%- else %}

-- All of them. Every row is built by itself.
events_of_affected_rows as (
    select
        *,
        row_id as row_group
    from events_of_rows
),
{%- endif %}
{%- if plan.table_events %}

-- Every row that this run builds, once.
rows_of_tables as (
    select distinct
        row_id,
        row_key,
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        row_group
    from events_of_affected_rows
),

-- What happens to a table happens to each of its rows.
table_events_of_rows as (
    select
        events.row_id,
        events.row_key,
        events.vendor,
        events.source,
        events.database_name,
        events.schema_name,
        events.table_name,
        table_events.kind as operation,
        table_events.epoch,
        table_events.position,
        table_events.transport_order,
        table_events.change_id,
        table_events.happened_at as committed_at,
        cast(null as timestamp) as snapshot_at,
        cast(null as string) as transaction_id,
        cast(null as string) as before,
        'none' as before_image,
        cast(null as string) as after,
        'none' as after_image,
        cast(null as array<string>) as row_columns,
        table_events.ended_columns,
        cast(null as string) as table_identity,
        cast(null as string) as key_change,
        cast(null as string) as moved_from_row_key,
        cast(null as string) as moved_to_row_key,
        events.row_group
    from rows_of_tables as events
    inner join {{ ref('int_table_events') }} as table_events
        on {{ cdc_same_table('events', 'table_events') }}
),
{%- endif %}
{%- if plan.table_events and plan.identified_ends %}

-- Where a table took the name of one that had ended: its copied rows, which carry no position, come after that end.
table_beginnings as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        epoch,
        table_identity,
        min(position) as position
    from {{ ref('int_table_events') }} as table_events
    where kind = 'drop' and table_identity is not null
    group by vendor, source, database_name, schema_name, table_name, epoch, table_identity
),

-- The changes of rows and what happens to their tables, with the position that orders them.
events as (
    select
        events.*,
        coalesce(events.position, beginnings.position) as order_position
    from events_of_affected_rows as events
    left join table_beginnings as beginnings
        on
            {{ cdc_same_table('events', 'beginnings') }}
            and events.epoch = beginnings.epoch
            and events.table_identity = beginnings.table_identity
            and events.operation = 'snapshot'
            and events.vendor in ({{ cdc_vendors_with('snapshot_order', 'epoch_start') }})
    union all
    select
        *,
        position as order_position
    from table_events_of_rows
),
{%- elif plan.table_events %}

-- The changes of rows and what happens to their tables, with the position that orders them.
events as (
    select
        *,
        position as order_position
    from events_of_affected_rows
    union all
    select
        *,
        position as order_position
    from table_events_of_rows
),
{%- else %}

-- The changes of rows, with the position that orders them.
events as (
    select
        *,
        position as order_position
    from events_of_affected_rows
),
{%- endif %}

-- Every event with the times that order it, and with what it is beside others at its position.
with_times as (
    select
        *,
        operation in ('truncate', 'drop', 'reset') as is_reset,
        order_position is not null as has_position,
        -- Of the times that a row has reached, the loss of a column is none.
        case when operation <> 'columns' then coalesce(committed_at, snapshot_at) end as happened_at,
        case
            when order_position is null and operation <> 'reset' then coalesce(committed_at, snapshot_at)
        end as unpositioned_at,
        -- At one position: snapshot rows, then what ends the table, then the copied rows of a table that took its name,
        -- then changes in the order in which they were carried.
        case
            when operation = 'reset' then 1
            when operation = 'snapshot' and position is null and order_position is not null then 4
            when operation = 'snapshot' then 2
            when operation in ('truncate', 'drop') then 3
            else 5
        end as operation_class,
        array_position(array('columns', 'insert', 'update', 'delete'), operation) as operation_rank,
        case key_change when 'out' then 1 when 'in' then 2 else 0 end as key_change_side
    from events
),

-- Every event with what orders it among those at the same position (S3, S9). No two events are equal in it.
with_tie_breaker as (
    select
        *,
        struct(
            operation_class,
            transport_order,
            operation_rank,
            change_id,
            key_change_side,
            row_id
        ) as tie_breaker
    from with_times
),
{%- if plan.without_position %}

-- An event without a position lies behind the last change that was committed before it. Along positions the time
-- reached never runs backwards, so it orders both kinds of events. A snapshot of a vendor whose messages carry no
-- time of reading lies before all changes.
with_effective_at as (
    select
        *,
        case
            when has_position
                then max(case when position is not null or operation = 'reset' then happened_at end) over (
                    partition by row_group
                    order by epoch asc, order_position asc, tie_breaker asc
                    rows between unbounded preceding and current row
                )
            when operation = 'reset' then null
            when operation = 'columns' then unpositioned_at
            when operation <> 'snapshot' then happened_at
            when vendor not in ({{ cdc_vendors_with('snapshot_order', 'epoch_start') }}) then snapshot_at
        end as effective_at
    from with_tie_breaker
),

-- Every event with its place in the one order of its row's events.
with_sort_key as (
    select
        *,
        struct(
            epoch,
            effective_at,
            has_position,
            order_position,
            unpositioned_at,
            tie_breaker
        ) as sort_key
    from with_effective_at
),

-- Every event with the last position that was reached up to it, and with the epoch in which that was.
with_last_position as (
    select
        *,
        last_value(case when has_position then struct(epoch, order_position) end, true) over (
            partition by row_group
            order by sort_key asc
            rows between unbounded preceding and current row
        ) as last_position
    from with_sort_key
),

-- Every event with the position that it has, or that it lies behind in its epoch.
ordered as (
    select
        *,
        case when last_position.epoch = epoch then last_position.order_position end as effective_position
    from with_last_position
)
{%- else %}

-- Every event with its place in the one order of its row's events: each has a position, so that time orders none.
ordered as (
    select
        *,
        struct(
            epoch,
            order_position,
            tie_breaker
        ) as sort_key,
        order_position as effective_position
    from with_tie_breaker
)
{%- endif %}

select
    row_id,
    row_key,
    row_group,
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    operation,
    is_reset,
    sort_key,
    epoch,
    position,
    effective_position,
    change_id,
    transaction_id,
    committed_at,
    happened_at,
    before,
    before_image,
    after,
    after_image,
    row_columns,
    ended_columns,
    key_change,
    moved_from_row_key,
    moved_to_row_key
from ordered

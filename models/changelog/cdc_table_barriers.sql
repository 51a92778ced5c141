{{ config(materialized='cdc_table', cdc_write='replace', file_format=cdc_work_format()) }}
-- Truncates, and resets at the start of an epoch: events that end every older row of a table.
-- After the load is finished, and changes that it withdraws are gone.
-- depends_on: {{ ref('cdc_loads') }}
{%- set table_columns = ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] %}
{%- if not cdc_log_features().barriers %}

{{ cdc_no_rows() }}
{%- else %}

with truncates as (
    select
        {{ table_columns | join(', ') }},
        'truncate' as kind, epoch, position, committed_at as happened_at, change_id
    from {{ cdc_visible_changes() }}
    -- Truncates have no row: files in which all changes have one are not read.
    where operation = 'truncate' and row_id is null
),

-- A truncate that carries no position comes after the last change of its table that was committed before it.
truncates_without_position as (
    select
        truncates.change_id,
        truncates.vendor,
        truncates.source,
        truncates.database_name,
        truncates.schema_name,
        truncates.table_name,
        max(changelog.position) as position
    from truncates
    inner join {{ cdc_visible_changes() }} as changelog
        on
            truncates.vendor = changelog.vendor
            and truncates.source = changelog.source
            and truncates.database_name <=> changelog.database_name
            and truncates.schema_name <=> changelog.schema_name
            and truncates.table_name <=> changelog.table_name
            and truncates.epoch = changelog.epoch
            and truncates.happened_at > changelog.committed_at
    where truncates.position is null
    group by
        truncates.change_id,
        truncates.vendor, truncates.source, truncates.database_name, truncates.schema_name, truncates.table_name
),

epochs_that_have_begun as (
    select
        {{ table_columns | join(', ') }}, epoch, min(coalesce(committed_at, snapshot_at)) as happened_at
    from {{ cdc_visible_changes() }}
    where epoch > 0 and (row_id is not null or operation = 'truncate')
    group by {{ table_columns | join(', ') }}, epoch
),

resets as (
    select
        begun.{{ table_columns | join(', begun.') }},
        'reset' as kind,
        begun.epoch,
        begun.happened_at
    from epochs_that_have_begun as begun
    {{ cdc_epoch_join('begun.vendor') }}
    where {{ cdc_epoch_resets('begun.epoch', 'begun.source', 'begun.schema_name', 'begun.table_name') | indent(4) }}
),

barriers as (
    select
        truncates.{{ table_columns | join(', truncates.') }},
        truncates.kind,
        truncates.epoch,
        coalesce(truncates.position, placed.position, '') as order_position,
        if(truncates.position is null, 9, 1) as anchor_rank,
        if(truncates.position is null, '', truncates.change_id) as anchor_change_id,
        if(truncates.position is null, 1, 0) as order_after,
        if(truncates.position is null, coalesce(truncates.happened_at, {{ cdc_no_time() }}), {{ cdc_no_time() }})
            as order_at,
        1 as order_rank,
        truncates.change_id as order_change_id,
        truncates.position,
        truncates.happened_at
    from truncates
    left join truncates_without_position as placed
        on
            truncates.change_id = placed.change_id
            and truncates.database_name <=> placed.database_name
            and truncates.schema_name <=> placed.schema_name
            and truncates.table_name <=> placed.table_name
    union all
    select
        {{ table_columns | join(', ') }},
        kind,
        epoch,
        '' as order_position,
        -1 as anchor_rank,
        '' as anchor_change_id,
        0 as order_after,
        {{ cdc_no_time() }} as order_at,
        0 as order_rank,
        '' as order_change_id,
        cast(null as string) as position,
        happened_at
    from resets
),

barriers_in_order as (
    select
        {{ table_columns | join(', ') }},
        struct(
            epoch, order_position, anchor_rank, anchor_change_id, order_after, order_at, order_rank, order_change_id
        ) as placed_at,
        kind, epoch, position, happened_at, order_change_id,
        max(happened_at) over (
            partition by {{ table_columns | join(', ') }}
            order by
                epoch asc, order_position asc, anchor_rank asc, anchor_change_id asc, order_after asc, order_at asc,
                order_rank asc, order_change_id asc
            rows between unbounded preceding and current row
        ) as running_at
    from barriers
),

barriers_of_a_table as (
    select
        {{ table_columns | join(', ') }},
        array_sort(collect_list(struct(
            placed_at, kind, epoch, position, happened_at, order_change_id as change_id, running_at
        ))) as barriers
    from barriers_in_order
    group by {{ table_columns | join(', ') }}
)

select * from barriers_of_a_table
{%- endif %}

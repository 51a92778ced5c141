{{ config(materialized='cdc_table', cdc_write='replace', file_format=cdc_work_format()) }}
-- After the load is finished, and changes that it withdraws are gone.
-- depends_on: {{ ref('cdc_loads') }}
{#- A build of all rows asks nobody which ones. -#}
{%- set makes_all_rows = cdc_makes_all_rows() and execute %}
{%- set watermarks = cdc_earlier(this.schema, 'cdc_watermarks', [
    {'name': 'model_name', 'type': 'string'}, {'name': 'load_number', 'type': 'bigint'},
    {'name': 'run_number', 'type': 'bigint'},
]) %}
{%- set needs = none if makes_all_rows else cdc_touching_needs() %}
{%- if makes_all_rows %}

{{ cdc_no_rows() }}
{%- else %}

with
{%- if needs.applied_load_number < 0 %}

watermark as (
    select coalesce(max(load_number), 0) as load_number
    from {{ watermarks }}
    where model_name = 'cdc_row_states'
),
{%- endif %}

new_changes as (
    select
        changelog.vendor,
        changelog.source,
        changelog.database_name,
        changelog.schema_name,
        changelog.table_name,
        changelog.operation,
        changelog.epoch,
        changelog.position,
        changelog.committed_at,
        changelog.snapshot_at,
        changelog.row_id,
        changelog.row_id_before,
        changelog.former_row_ids
    from {{ ref('cdc_changelog') }} as changelog
    {{ cdc_earliest_end_join('changelog', watermarks) if cdc_shows_whole_transactions() }}
    where
    {%- if needs.applied_load_number < 0 %}
        changelog.load_number > (select watermark.load_number from watermark)
        or {{ cdc_is_behind_the_earliest_end('changelog') if cdc_shows_whole_transactions() else 'false' }}
    {%- else %}
        -- A number that is known before the scan starts, so that files of earlier loads are not read.
        changelog.load_number > {{ needs.applied_load_number }}
    {%- endif %}
),

touched_by_name as (
    select
        explode(array_compact(concat(
            array(row_id, row_id_before), coalesce(former_row_ids, cast(array() as array<string>))
        ))) as row_id
    from new_changes
),
{%- if needs.whole_tables %}

-- A truncate, or the first event of an epoch that resets its table, may end any row of the table: the latter unless
-- the reset is known to have happened before. So may a change that moves on a truncate without a position, which comes
-- after the last change that was committed before it.
tables_touched_as_a_whole as (
    select distinct
        new_changes.vendor,
        new_changes.source,
        new_changes.database_name,
        new_changes.schema_name,
        new_changes.table_name
    from new_changes
    {{ cdc_epoch_join('new_changes.vendor') }}
    left join {{ ref('cdc_table_barriers') }} as table_barriers
        on
            new_changes.vendor = table_barriers.vendor
            and new_changes.source = table_barriers.source
            and new_changes.database_name <=> table_barriers.database_name
            and new_changes.schema_name <=> table_barriers.schema_name
            and new_changes.table_name <=> table_barriers.table_name
    where
        new_changes.operation = 'truncate'
        or exists(
            table_barriers.barriers,
            barrier -> barrier.kind = 'truncate'
            and barrier.position is null
            and barrier.epoch = new_changes.epoch
            and new_changes.committed_at < barrier.happened_at
            and new_changes.position >= barrier.placed_at.order_position
        )
        or (
            {{ cdc_epoch_resets(
                'new_changes.epoch', 'new_changes.source', 'new_changes.schema_name', 'new_changes.table_name'
            ) | indent(12) }}
            and not coalesce(
                exists(
                    table_barriers.barriers,
                    barrier -> barrier.kind = 'reset'
                    and barrier.epoch = new_changes.epoch
                    and coalesce(
                        barrier.happened_at < coalesce(new_changes.committed_at, new_changes.snapshot_at),
                        barrier.happened_at is not null
                    )
                ),
                false
            )
        )
),

-- Such an event that is told better than before may have stood under another table, whose rows it then no longer ends.
sources_touched_as_a_whole as (
    select distinct
        vendor,
        source
    from new_changes
    where former_row_ids is not null and (operation = 'truncate' or epoch > 0)
),

touched_with_the_table as (
    select changelog.row_id
    from {{ ref('cdc_changelog') }} as changelog
    left semi join tables_touched_as_a_whole as touched
        on
            changelog.vendor = touched.vendor
            and changelog.source = touched.source
            and changelog.database_name <=> touched.database_name
            and changelog.schema_name <=> touched.schema_name
            and changelog.table_name <=> touched.table_name
    where changelog.row_id is not null
    union all
    select changelog.row_id
    from {{ ref('cdc_changelog') }} as changelog
    left semi join sources_touched_as_a_whole as touched
        on changelog.vendor = touched.vendor and changelog.source = touched.source
    where changelog.row_id is not null
),
{%- endif %}

touched as (
    select row_id from touched_by_name
    {%- if needs.whole_tables %}
    union
    select row_id from touched_with_the_table
    {%- else %}
    group by row_id
    {%- endif %}
),
{%- if not needs.connections %}

final as (
    select row_id from touched
)
{%- else %}

-- Rows that key changes connect are made again together.
touched_groups as (
    select distinct connected.group_id
    from {{ ref('cdc_connected_rows') }} as connected
    left semi join touched on connected.row_id = touched.row_id
),

final as (
    select row_id from touched
    union
    select connected.row_id
    from {{ ref('cdc_connected_rows') }} as connected
    left semi join touched_groups on connected.group_id = touched_groups.group_id
)

{%- endif %}

select * from final
{%- endif %}

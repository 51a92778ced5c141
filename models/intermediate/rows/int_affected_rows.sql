{{ config(materialized='table', file_format=cdc_work_format(), tags=['python_udf']) }}
-- One row per row whose versions this run builds again, with its key-change group: rows that a new or a replaced
-- event is about, rows of a table that was reset, and rows of their groups. Where all rows are built, the rows of
-- groups alone. One row without a row id carries the number of the load up to which this holds.
-- depends_on: {{ ref('cdc_changelog') }} {{ ref('int_table_settings') }}
-- depends_on: {{ ref('int_key_change_groups') }} {{ ref('int_table_resets') }}
-- depends_on: {{ ref('int_visible_until') if cdc_shows_whole_transactions() }}
{%- set features = cdc_row_features() %}
{%- set table_columns = ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] %}
{%- set builds_all_rows = cdc_builds_all_rows() %}

with
{%- if not builds_all_rows %}
new_events as (
    select * from {{ ref('int_events') }}
    where load_number > {{ cdc_versions_built_to() }}
),

changed_events as (
    select
        {{ table_columns | join(', ') }}, operation, epoch, row_id, row_id_before,
        coalesce(committed_at, snapshot_at) as happened_at, false as is_replaced
    from new_events
    where status = 'change'
    {%- if features.replaced %}
    union all
    select
        {{ table_columns | join(', ') }}, operation, epoch, row_id, row_id_before,
        coalesce(committed_at, snapshot_at) as happened_at, true as is_replaced
    from {{ ref('int_events') }} as replaced
    left semi join (select explode(replaces) as event from new_events where replaced_because is not null) as replacing
        on replaced.load_number = replacing.event.load_number and replaced.event_number = replacing.event.event_number
    where replaced.status = 'change'
    {%- endif %}
),

{%- if features.resets %}

-- An epoch resets its tables with its first event: later ones leave the reset as it is.
reset_tables as (
    select distinct changed_events.{{ table_columns | join(', changed_events.') }}
    from changed_events
    left join {{ ref('int_table_resets') }} as resets
        on resets.kind = 'reset' and changed_events.epoch = resets.epoch and {{ cdc_same_table('changed_events', 'resets') }}
    where
        changed_events.operation = 'truncate'
        or (changed_events.is_replaced and changed_events.epoch > 0)
        or (resets.kind is not null and coalesce(changed_events.happened_at <= resets.happened_at, true))
),
{%- endif %}

affected as (
    select explode(array_compact(array(row_id, row_id_before))) as row_id from changed_events
    {%- if features.resets %}
    union all
    select changes.row_id
    from {{ ref('cdc_changelog') }} as changes
    left semi join reset_tables on {{ cdc_same_table('changes', 'reset_tables') }}
    where changes.row_id is not null
    {%- endif %}
    {%- if cdc_shows_whole_transactions() %}
    union all
    select row_id from {{ cdc_rows_that_move_into_view() }} as moved
    {%- endif %}
),
{%- endif %}

built_again as (
    {%- if not features.key_changes %}
    select distinct row_id, row_id as row_group from {{ 'affected' if not builds_all_rows else '(select cast(null as string) as row_id) where false' }}
    {%- elif builds_all_rows %}
    select row_id, row_group from {{ ref('int_key_change_groups') }}
    {%- else %}
    select groups.row_id, groups.row_group
    from {{ ref('int_key_change_groups') }} as groups
    left semi join (
        select groups.row_group
        from {{ ref('int_key_change_groups') }} as groups
        left semi join affected on groups.row_id = affected.row_id
    ) as affected_groups on groups.row_group = affected_groups.row_group
    union
    select affected.row_id, affected.row_id as row_group
    from affected
    left anti join {{ ref('int_key_change_groups') }} as groups on affected.row_id = groups.row_id
    {%- endif %}
)

select row_id, row_group, cast(null as bigint) as load_number from built_again
union all
select null, null, max(load_number) from {{ ref('int_events') }}

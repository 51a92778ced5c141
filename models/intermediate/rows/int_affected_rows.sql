{{ config(materialized='table', file_format=cdc_work_format(), tags=['python_udf']) }}
-- depends_on: {{ ref('cdc_changelog') }}
-- depends_on: {{ ref('int_visible_until') if cdc_shows_whole_transactions() }}
{#- Named for dbt's order alone: a mention would put it into the statement where no row needs it. -#}
{%- if not execute %} {%- do ref('int_table_resets') %} {%- endif %}
{%- set facts = cdc_row_facts() %}
{%- set table_columns = ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] %}
{%- set groups = ref('int_key_change_groups') if facts.key_changes
    else cdc_no_rows(cdc_columns('row_id string; row_group string')) %}

with rows_of_groups as (
    select row_id, row_group from {{ groups }} as groups
),
{%- if facts.builds_all_rows %}

built_again as (
    select row_id, row_group from rows_of_groups
)
{%- else %}

new_events as (
    select * from {{ ref('int_events') }}
    where load_number > {{ facts.built_to }}
),

changed_events as (
    select
        {{ table_columns | join(', ') }}, operation, epoch, row_id, row_id_before,
        coalesce(committed_at, snapshot_at) as happened_at, false as is_replaced
    from new_events
    where status = 'change'
    {%- if facts.replaces %}
    union all
    select
        {{ table_columns | join(', ') }}, operation, epoch, row_id, row_id_before,
        coalesce(committed_at, snapshot_at) as happened_at, true as is_replaced
    from {{ ref('int_events') }}
    where status = 'change' and (load_number, event_number) in (select inline(new_events.replaces) from new_events)
    {%- endif %}
),
{%- if facts.resets %}

-- An epoch resets its tables with its first event: later ones leave the reset as it is.
reset_tables as (
    select distinct changed_events.{{ table_columns | join(', changed_events.') }}
    from changed_events
    left join {{ ref('int_table_resets') }} as resets
        on
            resets.kind = 'reset'
            and changed_events.epoch = resets.epoch
            and {{ cdc_same_table('changed_events', 'resets') }}
    where
        changed_events.operation = 'truncate'
        or (changed_events.is_replaced and changed_events.epoch > 0)
        or (resets.kind is not null and coalesce(changed_events.happened_at <= resets.happened_at, true))
),
{%- endif %}

affected as (
    select explode(array_compact(array(row_id, row_id_before))) as row_id from changed_events
    {%- if facts.resets %}
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

-- A row that lies in no group is one by itself.
affected_groups as (
    select distinct coalesce(groups.row_group, affected.row_id) as row_group
    from affected
    left join rows_of_groups as groups on affected.row_id = groups.row_id
),

built_again as (
    select
        coalesce(groups.row_id, affected_groups.row_group) as row_id,
        affected_groups.row_group
    from affected_groups
    left join rows_of_groups as groups on affected_groups.row_group = groups.row_group
)
{%- endif %}

select row_id, row_group, cast(null as bigint) as load_number from built_again
union all
select null, null, max(load_number) from {{ ref('int_events') }}

{{ config(materialized='table', file_format=cdc_work_format(), tags=['python_udf']) }}
-- depends_on: {{ ref('int_excluded_events') }}
-- depends_on: {{ ref('int_visibility_watermarks') if cdc_shows_whole_transactions() }}
{#- Declared at parse time only: an ephemeral model that is named in a comment would be part of every statement. -#}
{%- if not execute %} {%- do ref('int_table_events') %} {%- do ref('int_changes') %} {%- endif %}
{%- set plan = cdc_rows_plan() %}
{%- set table_columns = ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] %}
{%- set changed_columns = (table_columns + [
    'operation', 'epoch', 'row_id', 'row_id_before', 'coalesce(committed_at, snapshot_at) as happened_at', 'change_id',
    'transaction_id', 'ends_table', 'ended_columns', 'table_identity',
]) | join(', ') %}
{%- set groups = ref('int_key_change_groups') if plan.key_changes
    else cdc_no_rows(cdc_parse_columns('row_id string; row_group string')) %}

-- The rows that key changes connect, each with its group; all others are groups of one row.
with rows_of_groups as (
    select row_id, row_group from {{ groups }} as groups
),
{%- if plan.builds_all_rows %}

-- In a run that builds all rows, the rows of groups are all that the next models ask for.
rows_to_rebuild as (
    select row_id, row_group from rows_of_groups
)
{%- else %}

-- The events that were stored since the row versions were last built.
new_events as (
    select * from {{ ref('int_events') }}
    where load_number > {{ plan.built_to }}
),

-- The changes that are new, or that do not count any more.
changed_events as (
    select
        {{ changed_columns }},
        false as is_replaced
    from new_events
    where status = 'change'
    {%- if plan.replaces %}
    union all
    select
        {{ changed_columns }},
        true as is_replaced
    from {{ ref('int_events') }}
    where status = 'change' and (load_number, event_number) in (select inline(new_events.replaces) from new_events)
    {%- endif %}
    {%- if plan.excluded %}
    -- A change that is excluded, since a new delivery of it lies at a place that a line names.
    union all
    select
        {{ changed_columns }},
        true as is_replaced
    from {{ ref('int_events') }}
    where
        status = 'change'
        and (load_number, event_number) in (
            select excluded.load_number, excluded.event_number from {{ ref('int_excluded_events') }} as excluded
        )
        and change_id in (select new_events.change_id from new_events)
    {%- endif %}
    {%- if cdc_shows_whole_transactions() %}
    union all
    select
        {{ changed_columns }},
        is_hidden as is_replaced
    from {{ cdc_changes_that_move_into_view() }} as moved
    {%- endif %}
),
{%- if plan.table_events %}

-- Tables that a new change is about as a whole. An epoch resets its tables with its first event: later ones leave the
-- reset as it is. Of a change that is replaced, or hidden now, it is not known any more whether it ended the table.
changed_tables as (
    select distinct changed_events.{{ table_columns | join(', changed_events.') }}
    from changed_events
    left join {{ ref('int_table_events') }} as table_events
        on
            {{ cdc_same_table('changed_events', 'table_events') }}
            and (
                (table_events.kind = 'reset' and changed_events.epoch = table_events.epoch)
                -- The message that ends the table, or the one before it, without which it may end nothing.
                or (
                    table_events.kind = 'drop'
                    and changed_events.change_id in (table_events.change_id, table_events.named_before_by)
                )
            )
    where
        changed_events.operation = 'truncate'
        or size(changed_events.ended_columns) > 0
        or (
            changed_events.is_replaced
            and (changed_events.epoch > 0 or changed_events.ends_table or changed_events.table_identity is not null)
        )
        or table_events.kind = 'drop'
        or (table_events.kind = 'reset' and coalesce(changed_events.happened_at <= table_events.happened_at, true))
),

-- Tables that ended in a transaction whose time has come to be known.
timed_tables as (
    select distinct table_events.{{ table_columns | join(', table_events.') }}
    from {{ ref('int_table_events') }} as table_events
    left semi join changed_events
        on
            table_events.vendor = changed_events.vendor
            and table_events.source = changed_events.source
            and table_events.epoch = changed_events.epoch
            and table_events.transaction_id = changed_events.transaction_id
            and changed_events.operation in ('begin', 'commit')
    where table_events.kind = 'drop'
),

-- All tables whose rows are built again.
tables_to_build_again as (
    select * from changed_tables
    union all
    select * from timed_tables
),
{%- endif %}

-- The rows that a change names, before or after it, and all rows of the tables above.
affected as (
    select explode(array_compact(array(row_id, row_id_before))) as row_id from changed_events
    {%- if plan.table_events %}
    union all
    select explode(array_compact(array(changes.row_id, changes.row_id_before))) as row_id
    from {{ ref('int_changes') }} as changes
    left semi join tables_to_build_again on {{ cdc_same_table('changes', 'tables_to_build_again') }}
    where changes.row_id is not null
    {%- endif %}
),

-- A row that lies in no group is one by itself.
affected_groups as (
    select distinct coalesce(groups.row_group, affected.row_id) as row_group
    from affected
    left join rows_of_groups as groups on affected.row_id = groups.row_id
),

-- Every row of every group that is affected.
rows_to_rebuild as (
    select
        coalesce(groups.row_id, affected_groups.row_group) as row_id,
        affected_groups.row_group
    from affected_groups
    left join rows_of_groups as groups on affected_groups.row_group = groups.row_group
)
{%- endif %}

select row_id, row_group, cast(null as bigint) as load_number from rows_to_rebuild
union all
select null, null, max(load_number) from {{ ref('int_events') }}

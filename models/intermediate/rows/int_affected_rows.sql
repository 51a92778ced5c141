{{ config(materialized='table', file_format=cdc_work_format(), tags=['python_udf']) }}
{%- set plan = cdc_rows_plan() %}
{%- if plan.key_changes %}

-- The rows that key changes connect, each with its group; all others are groups of one row.
with rows_of_groups as (
    select
        row_id,
        row_group
    from {{ ref('int_key_change_groups') }}
),
{%- else %}

-- No rows: no key change connects any.
with rows_of_groups as (
    select
        row_id,
        row_group
    from {{ cdc_no_rows(cdc_parse_columns('row_id string; row_group string')) }} as no_groups
),
{%- endif %}
{%- if plan.builds_all_rows %}

-- In a run that builds all rows, the rows of groups are all that the next models ask for.
rows_to_rebuild as (
    select
        row_id,
        row_group
    from rows_of_groups
)
{%- else %}

-- The rows that a changed event names, before or after it.
rows_of_events as (
    select explode(array_compact(array(row_id, row_id_before))) as row_id
    from {{ ref('int_changed_events') }}
),
{%- if plan.table_events %}

-- The same, and all rows of the tables that are affected as a whole.
affected as (
    select row_id from rows_of_events
    union all
    select explode(array_compact(array(changes.row_id, changes.row_id_before))) as row_id
    from {{ ref('int_changes') }} as changes
    left semi join {{ ref('int_affected_tables') }} as affected_tables
        on {{ cdc_same_table('changes', 'affected_tables') }}
    where changes.row_id is not null
),
{%- else %}

-- The same: no table is affected as a whole.
affected as (
    select row_id from rows_of_events
),
{%- endif %}

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

select
    row_id,
    row_group,
    cast(null as bigint) as load_number
from rows_to_rebuild
union all
select
    null as row_id,
    null as row_group,
    max(load_number) as load_number
from {{ ref('int_events') }}

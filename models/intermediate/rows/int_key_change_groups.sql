{{ config(materialized='ephemeral') }}
-- One row per row id whose history depends on other rows: a key change that carries a partial image, or has no
-- position, needs the past of the row under its old key. Rows that such key changes connect have the same row_group.

with key_changes as (
    select
        vendor, source, database_name, schema_name, table_name,
        collect_list(struct(row_id_before as row_id_before, row_id as row_id)) as moves
    from {{ cdc_visible_changes() }} as changes
    where row_id_before is not null and (after_image <> 'full' or position is null)
    group by vendor, source, database_name, schema_name, table_name
),

grouped_rows as (
    select explode(cdc_connect_rows(moves)) as connected_row
    from key_changes
)

select
    connected_row.row_id as row_id,
    connected_row.group_id as row_group
from grouped_rows

-- The last record of every row, of deleted rows too.
with latest_records as (
    select * from {{ ref('int_row_versions') }}
    where is_latest and not is_void
)

select
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    row_key,
    `row`,
    not is_current as is_deleted,
    -- is_partial, operation, epoch, position, committed_at, change_id, first_seen_at, deleted_at, version_count
    latest.*
from latest_records

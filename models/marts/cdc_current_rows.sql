{{ config(materialized='view', contract={'enforced': true}, access='public') }}

with latest_records as (
    select * from {{ ref('int_row_versions') }}
    where is_latest and not is_void
)

select
    vendor, source, database_name, schema_name, table_name, row_key, `row`,
    not is_current as is_deleted,
    latest.is_partial as is_partial,
    latest.operation as operation,
    latest.epoch as epoch,
    latest.position as position,
    latest.committed_at as committed_at,
    latest.change_id as change_id,
    latest.first_seen_at as first_seen_at,
    latest.deleted_at as deleted_at,
    latest.version_count as version_count
from latest_records

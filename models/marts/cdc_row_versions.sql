{{ config(post_hook='{{ cdc_create_functions(this) }}') }}

select
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    row_key,
    version_number,
    `row`,
    valid_from,
    valid_to,
    valid_from_epoch,
    valid_from_position,
    valid_to_epoch,
    valid_to_position,
    is_current,
    opened_by,
    closed_by,
    moved_from_row_key,
    moved_to_row_key,
    change_count,
    change_id
from {{ ref('int_row_versions') }}
where version_number > 0 and not is_void

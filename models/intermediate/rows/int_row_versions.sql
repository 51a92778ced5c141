{{
    config(
        materialized='incremental',
        incremental_strategy='merge',
        unique_key=['row_id', 'version_number'],
        tblproperties={
            'delta.enableDeletionVectors': 'true',
            'delta.dataSkippingStatsColumns': 'vendor,source,schema_name,table_name,valid_from,valid_to,load_number',
        },
        tags=['python_udf'],
    )
}}
{%- set keys = cdc_parse_columns('row_id string; version_number int; record_hash bigint') %}

-- The records as they are now, with a hash of all that they hold.
with built as (
    select
        *,
        xxhash64(*) as record_hash
    from {{ ref('int_row_intervals') }}
),
{%- if not is_incremental() %}

-- No rows: no earlier run has stored a record.
stored as (
    select
        row_id,
        version_number,
        record_hash
    from {{ cdc_no_rows(keys) }} as no_records
),
{%- elif cdc_rows_plan().builds_all_rows %}

-- The records as an earlier run stored them.
stored as (
    select
        row_id,
        version_number,
        record_hash
    from {{ this }}
),
{%- else %}

-- The records as an earlier run stored them, of the rows that this run has built.
stored as (
    select
        stored.row_id,
        stored.version_number,
        stored.record_hash
    from {{ this }} as stored
    left semi join {{ ref('int_affected_rows') }} as affected on stored.row_id = affected.row_id
),
{%- endif %}

-- Records that are not stored as they are now; a version that is no more becomes a record that is void.
different as (
    select
        coalesce(built.row_id, stored.row_id) as row_id,
        coalesce(built.version_number, stored.version_number) as version_number,
        built.* except (row_id, version_number),
        built.row_id is null as is_void
    from built
    full outer join stored on built.row_id = stored.row_id and built.version_number = stored.version_number
    where stored.row_id is null or built.record_hash is distinct from stored.record_hash
)

select
    different.*,
    (select max(affected.load_number) from {{ ref('int_affected_rows') }} as affected) as load_number
from different

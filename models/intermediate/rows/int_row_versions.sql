{{
    config(
        materialized='incremental',
        incremental_strategy='merge',
        unique_key=['row_id', 'version_number'],
        tblproperties={'delta.enableDeletionVectors': 'true'},
        tags=['python_udf'],
    )
}}
-- The history of every row, one record per version. The rows that a run affects are built again from all their
-- changes; only records that differ from the stored ones are written. A version that is no more stays as a record
-- that is void.

with built as (
    select
        *,
        xxhash64(*) as record_hash,
        false as is_void
    from {{ ref('int_row_intervals') }}
),
{%- if is_incremental() %}

stored as (
    select stored.row_id, stored.version_number, stored.record_hash
    from {{ this }} as stored
    {%- if not cdc_row_facts().builds_all_rows %}
    left semi join {{ ref('int_affected_rows') }} as affected on stored.row_id = affected.row_id
    {%- endif %}
),

different as (
    select
        coalesce(built.row_id, stored.row_id) as row_id,
        coalesce(built.version_number, stored.version_number) as version_number,
        built.* except (row_id, version_number, is_void),
        built.row_id is null as is_void
    from built
    full outer join stored on built.row_id = stored.row_id and built.version_number = stored.version_number
    where built.record_hash is distinct from stored.record_hash
)
{%- else %}

different as (
    select
        row_id, version_number, built.* except (row_id, version_number)
    from built
)
{%- endif %}

select
    different.*,
    (select max(affected.load_number) from {{ ref('int_affected_rows') }} as affected) as load_number
from different

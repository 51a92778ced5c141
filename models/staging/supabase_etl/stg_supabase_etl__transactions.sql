{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}

-- Begin and Commit are found by a field that other events do not have, so that those are not parsed for this.
with parsed as (
    select
        source,
        wrapped_as,
        envelope_reason,
        from_json(event_text, '`type` string, commit_lsn string, `timestamp` string, xid string') as message
    from {{ ref('stg_supabase_etl__events') }}
    where contains(value, '"timestamp"') and contains(event, '"timestamp"')
),

-- Every Begin and Commit under plain names.
markers as (
    select
        source,
        case when envelope_reason is null then {{ cdc_postgres_lsn('message.commit_lsn') }} end as commit_lsn,
        coalesce(wrapped_as, lower(message.`type`)) as kind,
        {{ cdc_postgres_time('message.`timestamp`') }} as committed_at,
        try_cast(message.xid as bigint) as xid
    from parsed
),

-- Every marker that has a position and a time, once.
markers_of_this_run as (
    select
        source,
        commit_lsn,
        kind,
        committed_at,
        xid
    from markers
    group by source, commit_lsn, kind, committed_at, xid
    -- Not as `where`: Spark would put that before the parse, and parse again for each mention.
    having count(if(kind in ('begin', 'commit'), commit_lsn, null)) > 0 and count(committed_at) > 0
)

select * from markers_of_this_run
{%- if is_incremental() %}
except
select
    source,
    commit_lsn,
    kind,
    committed_at,
    xid
from {{ this }}
{%- endif %}

{{ config(materialized='incremental', incremental_strategy='append', full_refresh=cdc_is_rebuild()) }}
{%- set earlier_columns = [
    {'name': 'source', 'type': 'string'}, {'name': 'commit_lsn', 'type': 'string'}, {'name': 'kind', 'type': 'string'},
    {'name': 'committed_at', 'type': 'timestamp'}, {'name': 'xid', 'type': 'bigint'},
] %}

with new_elements as (
    select
        source,
        element_text
    from {{ ref('stg_supabase_etl__elements') }}
    where
        value rlike '"(?i:begin|commit)"'
        and fault is null
        and element_text rlike '"(?i:begin|commit)"'
),

new_events as (
    {{ supabase_etl_events('new_elements') | indent(4) }}
),

-- An explode of one, so that the conditions below stay behind it: Spark would move them in front of the parse, and
-- parse again for each mention of what they look at.
new_marks as (
    select
        new_events.source,
        mark.kind,
        mark.commit_lsn_sent,
        mark.timestamp_sent,
        mark.xid_sent
    from new_events
        lateral view outer explode(array(named_struct(
            'kind', variant,
            'commit_lsn_sent', {{ supabase_etl_unguarded("event['commit_lsn']") }},
            'timestamp_sent', {{ supabase_etl_unguarded("event['timestamp']") }},
            'xid_sent', {{ supabase_etl_unguarded("event['xid']") }}
        ))) exploded as mark
),

marks_read as (
    select
        source,
        kind,
        {{ cdc_postgres_lsn('commit_lsn_sent') }} as commit_lsn,
        {{ supabase_etl_time('timestamp_sent') }} as committed_at,
        try_cast(xid_sent as bigint) as xid
    from new_marks
    where kind in ('begin', 'commit')
),

marks_of_this_run as (
    select
        source,
        commit_lsn,
        kind,
        committed_at,
        xid
    from marks_read
    where commit_lsn is not null and committed_at is not null
    group by source, commit_lsn, kind, committed_at, xid
),

new_transactions as (
    select
        marks_of_this_run.source,
        marks_of_this_run.commit_lsn,
        marks_of_this_run.kind,
        marks_of_this_run.committed_at,
        marks_of_this_run.xid
    from marks_of_this_run
    left anti join {{ cdc_earlier(this.schema, this.identifier, earlier_columns) }} as known
        on
            marks_of_this_run.source <=> known.source
            and marks_of_this_run.commit_lsn = known.commit_lsn
            and marks_of_this_run.kind = known.kind
            and marks_of_this_run.committed_at = known.committed_at
            and marks_of_this_run.xid <=> known.xid
)

select * from new_transactions

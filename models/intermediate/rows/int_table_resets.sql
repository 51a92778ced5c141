{%- set table_columns = ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] %}

with truncates as (
    select
        {{ table_columns | join(', ') }},
        'truncate' as kind, epoch, position, committed_at as happened_at, change_id
    from {{ cdc_visible_changes() }} as changes
    where operation = 'truncate'
),

epoch_starts as (
    select
        {{ table_columns | join(', ') }},
        epoch, min(coalesce(committed_at, snapshot_at)) as happened_at
    from {{ cdc_visible_changes() }} as changes
    where epoch > 0 and (row_id is not null or operation = 'truncate')
    group by {{ table_columns | join(', ') }}, epoch
),

epoch_resets as (
    select
        epoch_starts.{{ table_columns | join(', epoch_starts.') }},
        'reset' as kind, epoch_starts.epoch, cast(null as string) as position, epoch_starts.happened_at,
        '' as change_id
    from epoch_starts
    left semi join {{ ref('int_epoch_settings') }} as candidate
        on
            epoch_starts.vendor = candidate.vendor
            and epoch_starts.epoch = candidate.epoch
            and candidate.resets_table
            and {{ cdc_epoch_is_of('epoch_starts.source', 'epoch_starts.schema_name', 'epoch_starts.table_name') }}
)

select * from truncates
union all
select * from epoch_resets

-- A change that names no transaction belongs to the one that the first part of its position names.
with events as (
    select
        vendor,
        source,
        epoch,
        position,
        committed_at,
        operation,
        table_name,
        transaction_index,
        coalesce(transaction_id, substring_index(position, '/', 1)) as transaction_id,
        coalesce(is_transaction_end, false) as is_transaction_end
    from {{ ref('int_changes') }}
    where
        operation in ('insert', 'update', 'delete', 'truncate', 'begin', 'commit')
        and coalesce(transaction_id, position) is not null
),

-- One row per transaction, with what its changes and its commit say of it.
transactions as (
    select
        vendor,
        source,
        epoch,
        transaction_id,
        min(position) as first_position,
        max(position) as position,
        max(committed_at) as committed_at,
        count_if(operation not in ('begin', 'commit')) as changes,
        sort_array(collect_set(table_name)) as tables,
        coalesce(max(operation = 'commit'), false) as has_commit,
        max(case when is_transaction_end and operation <> 'commit' then transaction_index end) as counted_to,
        count(distinct case when operation not in ('begin', 'commit') then transaction_index end) as counted
    from events
    group by vendor, source, epoch, transaction_id
),

-- Every transaction with the one that began after it, and with whether its source ever sends a commit.
transactions_in_order as (
    select
        *,
        lead(transaction_id) over (
            partition by vendor, source
            order by epoch asc, position asc nulls first, transaction_id asc
        ) as later_transaction_id,
        max(has_commit) over (partition by vendor, source) as source_carries_commits
    from transactions
)

select
    vendor,
    source,
    epoch,
    transaction_id,
    first_position,
    position,
    committed_at,
    changes,
    tables,
    case
        when vendor in ({{ cdc_vendors_with('transactions', 'counted') }})
            then coalesce(counted = counted_to, false)
        when vendor in ({{ cdc_vendors_with('transactions', 'commit') }}) and source_carries_commits then has_commit
        when later_transaction_id is not null then true
    end as is_complete
from transactions_in_order

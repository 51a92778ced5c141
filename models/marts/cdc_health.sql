{{ config(materialized='cdc_view', contract={'enforced': true}, access='public') }}
{%- set table_columns = ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] %}

with finished_loads as (
    select distinct load_number from {{ ref('cdc_loads') }}
),

accounts as (
    select
        accounts.{{ table_columns | join(', accounts.') }},
        sum(accounts.messages) as messages,
        sum(accounts.elements) as elements,
        sum(accounts.parts) as parts,
        sum(accounts.duplicates) as duplicates,
        sum(accounts.ignored) as ignored
    from {{ ref('cdc_load_accounts') }} as accounts
    left semi join finished_loads on accounts.load_number = finished_loads.load_number
    group by accounts.{{ table_columns | join(', accounts.') }}
),

changes as (
    select
        {%- for column in table_columns %}
        logged.{{ column }},
        {%- endfor %}
        logged.operation in ('insert', 'update', 'delete', 'snapshot', 'truncate') as is_change,
        logged.epoch,
        logged.position,
        logged.committed_at,
        logged.landing_batch,
        {%- if cdc_shows_whole_transactions() %}
        {{ cdc_is_visible('logged') }} as is_visible,
        visible_to.transaction_id as waits_for_transaction
        {%- else %}
        true as is_visible,
        cast(null as string) as waits_for_transaction
        {%- endif %}
    from {{ ref('cdc_changelog') }} as logged
    {%- if cdc_shows_whole_transactions() %}
    {{ cdc_visible_to_join('logged') }}
    {%- endif %}
),

logged as (
    select
        {{ table_columns | join(', ') }},
        count_if(is_change) as changes,
        count_if(not is_change) as control,
        count_if(is_change and not is_visible) as hidden_changes,
        max(waits_for_transaction) as waits_for_transaction,
        max(committed_at) as last_committed_at,
        max_by(position, struct(epoch, position)) filter (where is_visible) as last_position,
        max(landing_batch) as last_landing_batch
    from changes
    group by {{ table_columns | join(', ') }}
),

rejected as (
    select {{ table_columns | join(', ') }}, count(*) as rejected, max(landing_batch) as last_landing_batch
    from {{ ref('cdc_rejected_messages') }}
    group by {{ table_columns | join(', ') }}
),

pending as (
    select
        {{ table_columns | join(', ') }}, count(*) as pending, max(waiting_since_landing_batch) as last_landing_batch
    from {{ ref('cdc_pending_messages') }}
    group by {{ table_columns | join(', ') }}
),

all_counts as (
    select
        {{ table_columns | join(', ') }},
        messages, elements, 0 as changes, parts, duplicates, 0 as control, ignored, 0 as rejected, 0 as pending,
        0 as hidden_changes, cast(null as string) as waits_for_transaction,
        cast(null as timestamp) as last_committed_at, cast(null as string) as last_position,
        cast(null as bigint) as last_landing_batch
    from accounts
    union all
    select
        {{ table_columns | join(', ') }},
        0, 0, changes, 0, 0, control, 0, 0, 0,
        hidden_changes, waits_for_transaction, last_committed_at, last_position, last_landing_batch
    from logged
    union all
    select {{ table_columns | join(', ') }}, 0, 0, 0, 0, 0, 0, 0, rejected, 0, 0, null, null, null, last_landing_batch
    from rejected
    union all
    select {{ table_columns | join(', ') }}, 0, 0, 0, 0, 0, 0, 0, 0, pending, 0, null, null, null, last_landing_batch
    from pending
),

final as (
    select
        {{ table_columns | join(', ') }},
        sum(messages) as messages,
        sum(elements) as elements,
        sum(changes) as changes,
        sum(parts) as parts,
        sum(duplicates) as duplicates,
        sum(control) as control,
        sum(ignored) as ignored,
        sum(rejected) as rejected,
        sum(pending) as pending,
        sum(hidden_changes) as hidden_changes,
        max(waits_for_transaction) as waits_for_transaction,
        max(last_committed_at) as last_committed_at,
        max(last_position) as last_visible_position,
        max(last_landing_batch) as last_landing_batch
    from all_counts
    group by {{ table_columns | join(', ') }}
)

select * from final

-- A message that was too large is replaced by each event that it holds.
with replaced as (
    select distinct explode(replaces) as event
    from {{ ref('int_events') }}
    where replaced_because is not null
),

-- Every stored event, and what it counts as.
events as (
    select
        events.*,
        replaced.event is null and excluded.load_number is null as is_effective,
        excluded.load_number is not null as is_excluded,
        -- An event may replace its own earlier decoding, which is no duplicate, and worse deliveries, which are.
        coalesce(size(events.replaces), 0) - if(events.is_delivery, 0, 1) as worse_deliveries,
        events.operation in ('insert', 'update', 'delete', 'snapshot', 'truncate') as is_row_change,
        coalesce(array_contains(events.warnings, 'FUTURE_TIME'), false) as is_future_time,
        coalesce(array_contains(events.warnings, 'FUTURE_POSITION'), false) as is_future_position,
        {{ cdc_is_visible('events') }} as is_visible,
        {{ 'visible_until.transaction_id' if cdc_shows_whole_transactions() else 'cast(null as string)' }}
            as first_hidden_transaction
    from {{ ref('int_events') }} as events
    left join replaced
        on events.load_number = replaced.event.load_number and events.event_number = replaced.event.event_number
    left join {{ ref('int_excluded_events') }} as excluded
        on events.load_number = excluded.load_number and events.event_number = excluded.event_number
    {{ cdc_visible_until_join('events') }}
)

select
    vendor, source, database_name, schema_name, table_name,
    count_if(is_delivery and coalesce(event_index, 0) = 0 and coalesce(table_index, 0) = 0) as messages,
    count_if(is_effective or is_excluded) + sum(worse_deliveries) as events,
    count_if(is_effective and status = 'change' and is_row_change) as changes,
    count_if(is_effective and status = 'segment') as segments,
    count_if(is_effective and status = 'duplicate') + sum(if(is_excluded, 0, worse_deliveries)) as duplicates,
    count_if(is_effective and status = 'change' and not is_row_change) as control,
    count_if(is_effective and status = 'ignored') as ignored,
    count_if(is_effective and (status = 'rejected' or (status = 'pending' and reason = 'NULL_KEY')))
    + sum(if(is_excluded, 1 + worse_deliveries, 0)) as rejected,
    count_if(is_effective and status = 'pending' and reason <> 'NULL_KEY') as pending,
    count_if(is_effective and status = 'change' and is_row_change and not is_visible) as hidden_changes,
    max(first_hidden_transaction) filter (where is_effective and status = 'change') as waits_for_transaction,
    count_if(is_effective and status = 'change' and is_future_time) as future_times,
    count_if(is_effective and status = 'change' and is_future_position) as future_positions,
    -- What claims a time or a position that cannot be says nothing of how far a feed has come.
    max(committed_at) filter (
        where is_effective and status = 'change' and not is_future_time and not is_future_position
    ) as last_committed_at,
    max_by(position, struct(epoch, position)) filter (
        where is_effective and status = 'change' and is_visible and not is_future_time and not is_future_position
    ) as last_visible_position,
    max(landing_batch) as last_landing_batch
from events
group by vendor, source, database_name, schema_name, table_name

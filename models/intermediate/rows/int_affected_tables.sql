-- Tables that a changed event is about as a whole. An epoch resets its tables with its first event: later ones leave
-- the reset as it is. Of a change that is replaced, or hidden now, it is not known any more whether it ended the table.
with changed_tables as (
    select distinct
        changed_events.vendor,
        changed_events.source,
        changed_events.database_name,
        changed_events.schema_name,
        changed_events.table_name
    from {{ ref('int_changed_events') }} as changed_events
    left join {{ ref('int_table_events') }} as table_events
        on
            {{ cdc_same_table('changed_events', 'table_events') }}
            and (
                (table_events.kind = 'reset' and changed_events.epoch = table_events.epoch)
                -- The message that ends the table, or the one before it, without which it may end nothing.
                or (
                    table_events.kind = 'drop'
                    and changed_events.change_id in (table_events.change_id, table_events.named_before_by)
                )
            )
    where
        changed_events.operation = 'truncate'
        or size(changed_events.ended_columns) > 0
        or (
            changed_events.is_replaced
            and (changed_events.epoch > 0 or changed_events.ends_table or changed_events.table_identity is not null)
        )
        or table_events.kind = 'drop'
        or (table_events.kind = 'reset' and coalesce(changed_events.happened_at <= table_events.happened_at, true))
),

-- Tables that ended in a transaction whose time has come to be known.
timed_tables as (
    select distinct
        table_events.vendor,
        table_events.source,
        table_events.database_name,
        table_events.schema_name,
        table_events.table_name
    from {{ ref('int_table_events') }} as table_events
    left semi join {{ ref('int_changed_events') }} as changed_events
        on
            table_events.vendor = changed_events.vendor
            and table_events.source = changed_events.source
            and table_events.epoch = changed_events.epoch
            and table_events.transaction_id = changed_events.transaction_id
            and changed_events.operation in ('begin', 'commit')
    where table_events.kind = 'drop'
)

select * from changed_tables
union all
select * from timed_tables

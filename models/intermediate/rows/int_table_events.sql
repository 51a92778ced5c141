{%- set plan = cdc_rows_plan() %}

-- Changes that say something of a whole table, and row changes that name the table's own identity.
with changes_of_tables as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        operation,
        epoch,
        position,
        {{ cdc_transport_order() }} as transport_order,
        change_id,
        coalesce(committed_at, snapshot_at) as happened_at,
        transaction_id,
        ended_columns,
        ends_table,
        case when position is not null then table_identity end as table_identity
    from {{ cdc_visible_changes() }} as changes
    where
        operation = 'truncate'
        or ends_table
        or size(ended_columns) > 0
        or (table_identity is not null and position is not null)
),

-- The identity that the table's name belonged to before, and the message that says so, within the epoch: a restored
-- source has given all its tables new ones, and cdc_epochs says whether their rows go on.
compared as (
    select
        *,
        last_value(if(table_identity is null, null, struct(table_identity, change_id)), true) over (
            partition by vendor, source, database_name, schema_name, table_name, epoch
            order by position asc, transport_order asc, change_id asc
            rows between unbounded preceding and 1 preceding
        ) as named_before,
        named_before.table_identity as identity_before
    from changes_of_tables
),

-- One row per truncate, per end of a table and per loss of columns.
with_kind as (
    select
        *,
        case
            when ends_table or identity_before <> table_identity then 'drop'
            when operation = 'truncate' then 'truncate'
            when size(ended_columns) > 0 then 'columns'
        end as kind
    from compared
),
{%- if plan.untimed_ends %}

-- A schema message may have no time of its own: the time of its transaction is the one at which the table ended.
transaction_times as (
    select
        vendor,
        source,
        epoch,
        transaction_id,
        max(committed_at) as committed_at
    from {{ cdc_visible_changes() }} as changes
    where operation in ('begin', 'commit')
    group by vendor, source, epoch, transaction_id
),

-- Every truncate, end of a table and loss of columns with the time at which it happened.
events_of_tables as (
    select
        with_kind.vendor,
        with_kind.source,
        with_kind.database_name,
        with_kind.schema_name,
        with_kind.table_name,
        with_kind.kind,
        with_kind.epoch,
        with_kind.position,
        with_kind.transport_order,
        with_kind.change_id,
        coalesce(with_kind.happened_at, transaction_times.committed_at) as happened_at,
        with_kind.transaction_id,
        with_kind.ended_columns,
        with_kind.table_identity,
        with_kind.named_before.change_id as named_before_by
    from with_kind
    left join transaction_times
        on
            with_kind.kind = 'drop'
            and with_kind.vendor = transaction_times.vendor
            and with_kind.source = transaction_times.source
            and with_kind.epoch = transaction_times.epoch
            and with_kind.transaction_id = transaction_times.transaction_id
    where with_kind.kind is not null
)
{%- else %}

-- Every truncate, end of a table and loss of columns. Each has a time of its own.
events_of_tables as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        kind,
        epoch,
        position,
        transport_order,
        change_id,
        happened_at,
        transaction_id,
        ended_columns,
        table_identity,
        named_before.change_id as named_before_by
    from with_kind
    where kind is not null
)
{%- endif %}
{%- if plan.epochs %},

-- The first time that an epoch shows in a table.
epoch_starts as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        epoch,
        min(coalesce(committed_at, snapshot_at)) as happened_at
    from {{ cdc_visible_changes() }} as changes
    where epoch > 0 and (row_id is not null or operation = 'truncate')
    group by vendor, source, database_name, schema_name, table_name, epoch
),

-- One row per table and epoch that ends the rows of older epochs.
epoch_resets as (
    select
        epoch_starts.vendor,
        epoch_starts.source,
        epoch_starts.database_name,
        epoch_starts.schema_name,
        epoch_starts.table_name,
        'reset' as kind,
        epoch_starts.epoch,
        cast(null as string) as position,
        cast(null as struct<
            has_no_topic: boolean, topic: string, `partition`: int, `offset`: bigint, event_index: int
        >) as transport_order,
        '' as change_id,
        epoch_starts.happened_at,
        cast(null as string) as transaction_id,
        cast(null as array<string>) as ended_columns,
        cast(null as string) as table_identity,
        cast(null as string) as named_before_by
    from epoch_starts
    left semi join {{ ref('run_epoch_settings') }} as candidate
        on
            epoch_starts.vendor = candidate.vendor
            and epoch_starts.epoch = candidate.epoch
            and candidate.resets_table
            and {{ cdc_epoch_is_of(
                'candidate', 'epoch_starts.source', 'epoch_starts.schema_name', 'epoch_starts.table_name'
            ) }}
)
{%- endif %}

select * from events_of_tables
{%- if plan.epochs %}
union all
select * from epoch_resets
{%- endif %}

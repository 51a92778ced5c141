{%- set plan = cdc_rows_plan() %}

{%- if plan.ignored_columns %}
-- Every event of a row, with the columns of its table whose changes open no version.
with states_with_settings as (
    select
        states.*,
        {{ cdc_settings_of('states.source', 'states.schema_name') }}.history_ignored_columns as ignored_columns
    from {{ ref('int_row_states') }} as states
    {{ cdc_table_settings_join('states.vendor', 'states.table_name') }}
),

-- The same, and the row without those columns.
states as (
    select
        *,
        if(
            size(ignored_columns) > 0,
            {{ cdc_json_without('state', 'ignored_columns') }},
            state
        ) as row_without_ignored_columns
    from states_with_settings
),
{%- else %}
-- Every event of a row; no column is ignored.
with states as (
    select
        *,
        state as row_without_ignored_columns
    from {{ ref('int_row_states') }}
),
{%- endif %}

-- Every event with the latest time that the row has reached, and with what was in force before it.
timed as (
    select
        *,
        max(happened_at) over so_far as version_at,
        min(case when not is_reset then happened_at end) over whole_row as first_seen_at,
        last_value(nullif(effect, 'none'), true) over before_it as effect_before
    from states
    window
        so_far as (
            partition by row_id order by sort_key asc
            rows between unbounded preceding and current row
        ),
        whole_row as (
            partition by row_id order by sort_key asc
            rows between unbounded preceding and unbounded following
        ),
        before_it as (
            partition by row_id order by sort_key asc
            rows between unbounded preceding and 1 preceding
        )
),

-- A reset ends a live row alone; what acted on a row that a key change had displaced has no effect on the row that
-- took the key.
effective as (
    select * from timed
    where effect <> 'none' and (not is_reset or effect_before = 'upsert')
),

-- Every effective event beside the one before it.
with_previous as (
    select
        *,
        row_number() over in_order as event_number,
        lag(struct(effect, row_without_ignored_columns)) over in_order as previous
    from effective
    window in_order as (partition by row_id order by sort_key asc)
),

-- Every effective event, and whether it opens a version: the row was not there, its key changed, or its content did.
with_opening_flag as (
    select
        *,
        coalesce(previous.effect = 'upsert', false) as was_live,
        effect = 'upsert' and (
            key_change is not null
            or coalesce(previous.effect <> 'upsert', true)
            or not {{ cdc_same_row('row_without_ignored_columns', 'previous.row_without_ignored_columns') }}
        ) as opens
    from with_previous
),

-- Every effective event with the number of its version, with the event that opened it, and with the row's last delete.
numbered as (
    select
        *,
        count_if(opens) over so_far as version_number,
        last_value(
            case
                when opens
                    then struct(
                        change_id,
                        if(key_change = 'in', 'key_change', operation) as opened_by,
                        version_at as valid_from,
                        epoch,
                        effective_position as position,
                        moved_from_row_key,
                        event_number
                    )
            end, true
        ) over so_far as opened,
        -- The time of the first delete since the row last lived.
        last_value(
            case
                when effect = 'upsert' then struct(cast(null as timestamp) as deleted_at)
                when was_live or previous is null then struct(version_at as deleted_at)
            end, true
        ) over so_far as last_delete
    from with_opening_flag
    window
        so_far as (
            partition by row_id order by sort_key asc
            rows between unbounded preceding and current row
        )
),

-- Every effective event beside the one after it, and with what the last event of the row says.
with_next as (
    select
        *,
        lead(struct(
            effect,
            opens,
            operation,
            key_change,
            version_at,
            epoch,
            effective_position as position,
            moved_to_row_key,
            displaced_by,
            displaced_moved_to_row_key
        )) over in_order as next,
        max(version_number) over whole_row as version_count,
        last_value(struct(
            operation,
            epoch,
            position,
            committed_at,
            nullif(change_id, '') as change_id,
            first_seen_at,
            last_delete.deleted_at as deleted_at
        )) over whole_row as last_event
    from numbered
    window
        in_order as (partition by row_id order by sort_key asc),
        whole_row as (
            partition by row_id order by sort_key asc
            rows between unbounded preceding and unbounded following
        )
)

select
    row_id,
    vendor,
    source,
    database_name,
    schema_name,
    table_name,
    row_key,
    cast(if(version_count = 0, 0, version_number) as int) as version_number,
    state as `row`,
    opened.valid_from as valid_from,
    next.version_at as valid_to,
    opened.epoch as valid_from_epoch,
    opened.position as valid_from_position,
    next.epoch as valid_to_epoch,
    next.position as valid_to_position,
    effect = 'upsert' and next is null as is_current,
    opened.opened_by as opened_by,
    case
        when next.effect = 'close' then if(next.key_change = 'out', 'key_change', next.operation)
        when next is not null then coalesce(next.displaced_by, 'update')
    end as closed_by,
    opened.moved_from_row_key as moved_from_row_key,
    coalesce(next.moved_to_row_key, next.displaced_moved_to_row_key) as moved_to_row_key,
    cast(if(version_count = 0, 0, event_number - opened.event_number + 1) as int) as change_count,
    opened.change_id as change_id,
    version_number = version_count as is_latest,
    case when version_number = version_count then struct(
        if(version_count = 0, not coalesce(before_image = 'full', false), state_is_partial) as is_partial,
        last_event.*,
        cast(version_count as int) as version_count
    ) end as latest
from with_next
-- A version is described by its last event, and so is a row of which only deletes are known.
where
    (effect = 'upsert' and (next is null or next.effect = 'close' or next.opens))
    or (next is null and version_count = 0)

{%- set typed_tables = var('cdc_typed_tables', {}) %}
{%- do cdc_check_typed_tables(typed_tables) %}
-- The stored events that a later one replaces. The first that a repeated decoding replaces is the earlier decoding of
-- the same event (of a message that was too large, each event that it holds replaces it); all others are deliveries of
-- a change that a better delivery replaces.
with replacements as (
    select
        load_number,
        event_number,
        replaced_event_id,
        not is_delivery and index = 0 as is_decoded_again
    from {{ ref('int_events') }}
        lateral view posexplode(replaces) as index, replaced_event_id
    where replaced_because is not null
),

-- Every replaced event once, with whether what replaces it is excluded.
replaced as (
    select
        replacements.replaced_event_id.load_number as load_number,
        replacements.replaced_event_id.event_number as event_number,
        max(replacements.is_decoded_again) as is_decoded_again,
        max(excluded.load_number is not null) as is_excluded
    from replacements
    left join {{ ref('int_excluded_events') }} as excluded
        on replacements.load_number = excluded.load_number and replacements.event_number = excluded.event_number
    group by replacements.replaced_event_id
),

-- Every stored event with the one status that it counts under, null for an earlier decoding.
events as (
    select
        events.*,
        coalesce(
            events.operation in ('insert', 'update', 'delete', 'snapshot', 'truncate'), false
        ) as is_row_change,
        case
            when replaced.is_decoded_again then null
            when replaced.is_excluded or excluded.load_number is not null then 'rejected'
            when replaced.load_number is not null then 'duplicate'
            -- Without a value of the key an event cannot be read, unless a late schema names another key.
            when events.status = 'pending' and events.reason = 'NULL_KEY' then 'rejected'
            when events.status = 'change' and not is_row_change then 'control'
            else events.status
        end as shown_status,
        coalesce(array_contains(events.warnings, 'FUTURE_TIME'), false) as is_future_time,
        coalesce(array_contains(events.warnings, 'FUTURE_POSITION'), false) as is_future_position,
        {{ cdc_is_visible('events') }} as is_visible,
        {{ 'visible_until.transaction_id' if cdc_shows_whole_transactions() else 'cast(null as string)' }}
            as first_hidden_transaction
    from {{ ref('int_events') }} as events
    left join replaced
        on events.load_number = replaced.load_number and events.event_number = replaced.event_number
    left join {{ ref('int_excluded_events') }} as excluded
        on events.load_number = excluded.load_number and events.event_number = excluded.event_number
    {{ cdc_visible_until_join('events') }}
),

-- The same, with whether an event says how far its feed has come. What claims a time or a position that cannot be says
-- nothing of it.
with_progress as (
    select
        *,
        shown_status in ('change', 'control') as is_shown_change,
        is_shown_change and not is_future_time and not is_future_position as is_progress
    from events
),

-- One row per vendor, source and table.
counts as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        count_if(is_delivery and coalesce(event_index, 0) = 0 and coalesce(table_index, 0) = 0) as messages,
        count(shown_status) as events,
        count_if(shown_status = 'change') as changes,
        count_if(shown_status = 'segment') as segments,
        count_if(shown_status = 'duplicate') as duplicates,
        count_if(shown_status = 'control') as control,
        count_if(shown_status = 'ignored') as ignored,
        count_if(shown_status = 'rejected') as rejected,
        count_if(shown_status = 'pending') as pending,
        count_if(shown_status = 'change' and not is_visible) as hidden_changes,
        max(first_hidden_transaction) filter (where is_shown_change) as waits_for_transaction,
        count_if(is_shown_change and is_future_time) as future_times,
        count_if(is_shown_change and is_future_position) as future_positions,
        max(committed_at) filter (where is_progress) as last_committed_at,
        max_by(position, struct(epoch, position)) filter (where is_progress and is_visible) as last_visible_position,
        max(landing_batch) as last_landing_batch
    from with_progress
    group by vendor, source, database_name, schema_name, table_name
)

{%- if typed_tables %},

-- The rows with values that could not be cast, of each typed table that cdc_typed_tables names.
typed_rows as (
    {%- for model, table in typed_tables.items() %}
    {%- set schema_name, table_name = table.split('.', 1) if '.' in table else (none, table) %}
    select
        vendor,
        source,
        {{ cdc_literal(schema_name) if schema_name else 'cast(null as string)' }} as schema_name,
        {{ cdc_literal(table_name) }} as table_name
    from {{ ref(model) }}
    where size(cast_errors) > 0
    {{ 'union all' if not loop.last }}
    {%- endfor %}
),

-- How many those are of each vendor, source and table.
cast_errors as (
    select
        vendor,
        source,
        schema_name,
        table_name,
        count(*) as cast_errors
    from typed_rows
    group by vendor, source, schema_name, table_name
)

select
    counts.*,
    coalesce(cast_errors.cast_errors, 0) as cast_errors
from counts
left join cast_errors
    on
        counts.vendor = cast_errors.vendor
        and counts.source = cast_errors.source
        and counts.table_name = cast_errors.table_name
        and (cast_errors.schema_name is null or counts.schema_name = cast_errors.schema_name)
{%- else %}

select
    *,
    cast(0 as bigint) as cast_errors
from counts
{%- endif %}

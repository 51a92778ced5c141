-- Every configuration that a load began under, line by line.
with recorded as (
    select
        load_number,
        line
    from {{ ref('run_recorded_configuration') }}
),

-- Each of them is that of the loads from load_number on, up to the one before next_load_number.
configurations as (
    select
        configured_from as load_number,
        lead(configured_from) over (order by configured_from) as next_load_number
    from (select distinct load_number as configured_from from recorded) as loads
),

-- The configuration of today.
configured as (
    select line from {{ ref('run_configuration_lines') }}
),

-- The lines of earlier configurations that are gone today, and those of today that an earlier one did not have.
changed as (
    select
        configurations.load_number,
        configurations.next_load_number,
        recorded.line,
        false as is_new
    from configurations
    inner join recorded
        on configurations.load_number = recorded.load_number
    where recorded.line not in (select configured.line from configured)
    union all
    select
        configurations.load_number,
        configurations.next_load_number,
        configured.line,
        true as is_new
    from configurations
    cross join configured
    left anti join recorded
        on configurations.load_number = recorded.load_number and configured.line = recorded.line
),

-- Those that decide what an event becomes. What decides about the marts alone contradicts nothing.
settings as (
    select
        load_number,
        next_load_number,
        line,
        is_new,
        from_json(line, '
            setting string,
            vendor string,
            source string,
            schema_name string,
            table_name string,
            starts_at timestamp,
            first_landing_batch bigint
        ') as line_of
    from changed
    where
        get_json_object(line, '$.setting') not in (
            'history_ignored_columns',
            'cdc_excluded_events',
            'cdc_visibility',
            'cdc_visibility_lifted_for'
        )
),

-- The same, with the table that a line is about: null for any vendor, `*` for any source, schema or table.
settings_of_tables as (
    select
        load_number,
        next_load_number,
        line,
        is_new,
        line_of.setting,
        trim(line_of.vendor) as vendor,
        coalesce(nullif(trim(line_of.source), ''), '*') as source,
        coalesce(nullif(trim(line_of.schema_name), ''), '*') as schema_name,
        coalesce(nullif(trim(line_of.table_name), ''), '*') as table_name,
        line_of.starts_at,
        line_of.first_landing_batch
    from settings
),

-- The stored events that count.
events as (
    select
        load_number,
        status,
        reason,
        vendor,
        source,
        schema_name,
        table_name,
        row_id,
        committed_at,
        coalesce(committed_at, snapshot_at) as happened_at,
        landing_batch
    from {{ cdc_effective_events(cdc_stored_events()) }} as events
)

-- The changed lines that would have made something else of a stored event.
select distinct settings_of_tables.line
from settings_of_tables
inner join events
    on
        settings_of_tables.load_number <= events.load_number
        and coalesce(settings_of_tables.next_load_number, events.load_number + 1) > events.load_number
        and coalesce(settings_of_tables.vendor, events.vendor) = events.vendor
        and settings_of_tables.source in ('*', events.source)
        and settings_of_tables.schema_name in ('*', events.schema_name)
        and settings_of_tables.table_name in ('*', events.table_name)
where
    case settings_of_tables.setting
        -- Of the rejected events, only those whose key has no value are known to be ones that this setting may cure.
        when 'cdc_tables'
            then events.row_id is not null or (events.status = 'rejected' and events.reason = 'NULL_KEY')
        -- Changes that belong to the epoch; by landing batch where a change has no time.
        when 'cdc_epochs'
            then
                events.status = 'change' and coalesce(
                    events.happened_at >= settings_of_tables.starts_at,
                    events.happened_at is null
                    and events.landing_batch >= settings_of_tables.first_landing_batch,
                    settings_of_tables.starts_at is null and settings_of_tables.first_landing_batch is null
                )
        -- A source that is named from now on only releases what waited. One that is not named any more may have changes
        -- without a commit time.
        when 'cdc_sources_without_transactions'
            then not settings_of_tables.is_new and events.status = 'change' and events.committed_at is null
        else events.status in ('change', 'rejected')
    end

-- What cdc_tables says about the columns of a table.
{%- set fixtures = [ref('fixture_cdc_tables')] if var('cdc_fixtures', false) | as_bool else [] %}
{%- set tables_seeds = [cdc_seed('cdc_tables')] + fixtures %}
with lines_of_tables as (
    {%- for seed in tables_seeds %}
    {{ 'union all' if not loop.first }}
    select
        to_json(struct(
            'cdc_tables' as setting,
            vendor,
            source,
            schema_name,
            table_name,
            to_json({{ cdc_parse_name_list('key_columns') }}) as key_columns,
            replica_identity,
            to_json({{ cdc_parse_name_list('column_names') }}) as column_names
        )) as line
    from {{ seed }}
    where coalesce(key_columns, replica_identity, column_names) is not null
    {%- endfor %}
),

-- What it says about changes that open no version.
lines_of_ignored_columns as (
    {%- for seed in tables_seeds %}
    {{ 'union all' if not loop.first }}
    select
        to_json(struct(
            'history_ignored_columns' as setting,
            vendor,
            source,
            schema_name,
            table_name,
            to_json({{ cdc_parse_name_list('history_ignored_columns') }}) as history_ignored_columns
        )) as line
    from {{ seed }}
    where history_ignored_columns is not null
    {%- endfor %}
),

-- Epochs of sources and tables.
lines_of_epochs as (
    select
        to_json(struct(
            'cdc_epochs' as setting,
            vendor,
            source,
            schema_name,
            table_name,
            epoch,
            starts_at,
            first_landing_batch,
            resets_table
        )) as line
    from {{ cdc_seed('cdc_epochs') }}
),

-- Events that are taken out.
lines_of_excluded_events as (
    select
        to_json(struct(
            'cdc_excluded_events' as setting,
            change_id,
            vendor,
            source,
            topic,
            `partition`,
            `offset`,
            event_index,
            reason,
            decided_by
        )) as line
    from {{ cdc_seed('cdc_excluded_events') }}
),

-- Variables. One line is always there, so that a configuration without any other is known too.
lines_of_variables as (
    {%- for configured in cdc_configured_variables() %}
    {{ 'union all' if not loop.first }}
    select
        to_json(struct(
            {%- for name, text in configured.line.items() %}
            {{ cdc_literal(text) }} as {{ name }}{{ ',' if not loop.last }}
            {%- endfor %}
        )) as line,
        {{ configured.affects_marts_only }} as affects_marts_only
    {%- endfor %}
)

select
    line,
    false as affects_marts_only
from lines_of_tables
union all
select
    line,
    true as affects_marts_only
from lines_of_ignored_columns
union all
select
    line,
    false as affects_marts_only
from lines_of_epochs
union all
select
    line,
    true as affects_marts_only
from lines_of_excluded_events
union all
select
    line,
    affects_marts_only
from lines_of_variables

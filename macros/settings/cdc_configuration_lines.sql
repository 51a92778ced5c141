{#- The configuration of today: one line of JSON for each thing that somebody set, and whether it is for the marts alone. -#}
{% macro cdc_configuration_lines() -%}
    {%- set tables = ['cdc_tables'] + (['fixture_cdc_tables'] if var('cdc_fixtures', false) | as_bool else []) -%}
    {#- There is always one line, so that a configuration without any other is known too. -#}
    {%- set set_by_vars = [{'setting': 'cdc_load'}] -%}
    {%- for source in var('cdc_sources_without_transactions', []) -%}
        {%- do set_by_vars.append({'setting': 'cdc_sources_without_transactions', 'source': source}) -%}
    {%- endfor -%}
    {%- do set_by_vars.append({'setting': 'cdc_visibility', 'value': 'transaction'}) if cdc_shows_whole_transactions() -%}
    {%- for source in var('cdc_visibility_lifted_for', []) if cdc_shows_whole_transactions() -%}
        {%- do set_by_vars.append({'setting': 'cdc_visibility_lifted_for', 'source': source}) -%}
    {%- endfor -%}
    {%- for spec in cdc_vendors() -%}
        {%- for setting in spec.settings if var(setting, none) is not none -%}
            {#- A list of feeds is recorded feed by feed, so that one more of them decides nothing for the others. -#}
            {%- for source in (var(setting) if setting.endswith('_sources') else []) -%}
                {%- do set_by_vars.append({'setting': setting, 'vendor': spec.name, 'source': source}) -%}
            {%- else -%}
                {%- do set_by_vars.append({'setting': setting, 'vendor': spec.name, 'value': var(setting) | tojson})
                    if not setting.endswith('_sources') -%}
            {%- endfor -%}
        {%- endfor -%}
    {%- endfor -%}
    {%- for seed in tables %}
    select
        to_json(struct(
            'cdc_tables' as setting, vendor, source, schema_name, table_name,
            to_json({{ cdc_parse_name_list('key_columns') }}) as key_columns, replica_identity,
            to_json({{ cdc_parse_name_list('column_names') }}) as column_names
        )) as line,
        false as affects_marts_only
    from {{ ref(seed) }}
    where coalesce(key_columns, replica_identity, column_names) is not null
    union all
    select
        to_json(struct(
            'history_ignored_columns' as setting, vendor, source, schema_name, table_name,
            to_json({{ cdc_parse_name_list('history_ignored_columns') }}) as history_ignored_columns
        )) as line,
        true as affects_marts_only
    from {{ ref(seed) }}
    where history_ignored_columns is not null
    union all
    {%- endfor %}
    select
        to_json(struct(
            'cdc_epochs' as setting, vendor, source, schema_name, table_name, epoch, starts_at, first_landing_batch,
            resets_table
        )) as line,
        false as affects_marts_only
    from {{ ref('cdc_epochs') }}
    union all
    select
        to_json(struct(
            'cdc_excluded_events' as setting, change_id, vendor, source, topic, `partition`, `offset`, event_index, reason,
            decided_by
        )) as line,
        true as affects_marts_only
    from {{ ref('cdc_excluded_events') }}
    {%- for line in set_by_vars %}
    union all
    select
        to_json(struct(
            {%- for name, text in line.items() %}
            {{ cdc_literal(text) }} as {{ name }}{{ ',' if not loop.last }}
            {%- endfor %}
        )) as line,
        {{ line.setting in ['cdc_visibility', 'cdc_visibility_lifted_for'] }} as affects_marts_only
    {%- endfor %}
{%- endmacro %}

{#- The configuration of today: one line of JSON for each thing that somebody set, and whether it is for the marts alone. -#}
{% macro cdc_configuration_lines() -%}
    {%- set tables = ['cdc_tables'] + (['fixture_cdc_tables'] if var('cdc_fixtures', false) | as_bool else []) -%}
    {%- for seed in tables %}
    select
        to_json(struct(
            'cdc_tables' as setting, vendor, source, schema_name, table_name,
            to_json({{ cdc_name_list('key_columns') }}) as key_columns, replica_identity,
            to_json({{ cdc_name_list('column_names') }}) as column_names
        )) as line,
        false as is_for_marts_alone
    from {{ ref(seed) }}
    where coalesce(key_columns, replica_identity, column_names) is not null
    union all
    select
        to_json(struct(
            'history_ignored_columns' as setting, vendor, source, schema_name, table_name,
            to_json({{ cdc_name_list('history_ignored_columns') }}) as history_ignored_columns
        )) as line,
        true as is_for_marts_alone
    from {{ ref(seed) }}
    where history_ignored_columns is not null
    union all
    {%- endfor %}
    -- There is always one line, so that a configuration without any other is known too.
    select '{"setting":"cdc_load"}' as line, false as is_for_marts_alone
    union all
    select
        to_json(struct(
            'cdc_epochs' as setting, vendor, source, schema_name, table_name, epoch, starts_at, first_landing_batch,
            resets_table
        )) as line,
        false as is_for_marts_alone
    from {{ ref('cdc_epochs') }}
    {%- for source in var('cdc_sources_without_transactions', []) %}
    union all
    select
        to_json(struct('cdc_sources_without_transactions' as setting, '{{ cdc_escaped(source) }}' as source)) as line,
        false as is_for_marts_alone
    {%- endfor %}
    {%- if cdc_shows_whole_transactions() %}
    union all
    select to_json(struct('cdc_visibility' as setting, 'transaction' as value)) as line, true as is_for_marts_alone
    {%- for source in var('cdc_visibility_lifted_for', []) %}
    union all
    select
        to_json(struct('cdc_visibility_lifted_for' as setting, '{{ cdc_escaped(source) }}' as source)) as line,
        true as is_for_marts_alone
    {%- endfor %}
    {%- endif %}
    {%- for spec in cdc_vendors() %}
    {%- for setting in spec.settings if var(setting, none) is not none %}
    union all
    select
        to_json(struct(
            '{{ setting }}' as setting, '{{ spec.name }}' as vendor,
            '{{ cdc_escaped(var(setting) | tojson) }}' as value
        )) as line,
        false as is_for_marts_alone
    {%- endfor %}
    {%- endfor %}
{%- endmacro %}

{{ config(materialized='table', file_format=cdc_work_format()) }}
-- depends_on: {{ ref('run_landing_batches') }}

with configured as (
    {%- set fixtures = [ref('fixture_cdc_tables')] if var('cdc_fixtures', false) | as_bool else [] %}
    {%- for seed in [cdc_seed('cdc_tables')] + fixtures %}
    {{ 'union all' if not loop.first }}
    select
        trim(vendor) as vendor,
        trim(source) as source,
        coalesce(nullif(trim(schema_name), ''), '*') as schema_name,
        trim(table_name) as table_name,
        {{ cdc_parse_name_list('key_columns') }} as key_columns,
        {{ cdc_parse_name_list('history_ignored_columns') }} as history_ignored_columns,
        lower(trim(replica_identity)) as replica_identity,
        {{ cdc_parse_name_list('column_names') }} as column_names
    from {{ seed }}
    {%- endfor %}
),

-- `*` stands for every source, or schema, that no line names.
sources as (
    select
        vendor,
        table_name,
        explode(array_union(collect_set(source), array('*'))) as source,
        array_union(collect_set(schema_name), array('*')) as schema_names
    from configured
    group by vendor, table_name
),

-- Every table with every scope, a pair of source and schema, for which a line may set something.
scopes as (
    select *, explode(schema_names) as schema_name from sources
),

-- Each setting of a scope comes from the line that fits best of those that set it.
settings_of_places as (
    select
        scopes.vendor,
        scopes.table_name,
        concat(scopes.source, '\n', scopes.schema_name) as scope,
        struct(
            {%- for setting in ['key_columns', 'history_ignored_columns', 'replica_identity', 'column_names'] %}
            min_by(configured.{{ setting }}, struct(
                configured.source = '*', configured.schema_name = '*', configured.{{ setting }}
            )) filter (where configured.{{ setting }} is not null) as {{ setting }}
            {{- ',' if not loop.last }}
            {%- endfor %}
        ) as settings
    from scopes
    inner join configured
        on
            scopes.vendor = configured.vendor
            and scopes.table_name = configured.table_name
            and configured.source in ('*', scopes.source)
            and configured.schema_name in ('*', scopes.schema_name)
    group by scopes.vendor, scopes.table_name, scopes.source, scopes.schema_name
)

select
    vendor,
    table_name,
    map_from_entries(collect_list(struct(scope, settings))) as settings_by_scope
from settings_of_places
group by vendor, table_name

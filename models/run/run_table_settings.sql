{{ config(materialized='table', file_format=cdc_work_format()) }}
-- depends_on: {{ ref('run_landing_batches') }}

with configured as (
    {%- for seed in ['cdc_tables'] + (['fixture_cdc_tables'] if var('cdc_fixtures', false) | as_bool else []) %}
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
    from {{ ref(seed) }}
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

-- Every table at every place, a pair of source and schema, at which a line may set something.
places as (
    select *, explode(schema_names) as schema_name from sources
),

-- Each setting of a place is of the line that fits best of those that set it.
settings_of_places as (
    select
        places.vendor,
        places.table_name,
        concat(places.source, '\n', places.schema_name) as place,
        struct(
            {%- for setting in ['key_columns', 'history_ignored_columns', 'replica_identity', 'column_names'] %}
            min_by(configured.{{ setting }}, struct(
                configured.source = '*', configured.schema_name = '*', configured.{{ setting }}
            )) filter (where configured.{{ setting }} is not null) as {{ setting }}
            {{- ',' if not loop.last }}
            {%- endfor %}
        ) as settings
    from places
    inner join configured
        on
            places.vendor = configured.vendor
            and places.table_name = configured.table_name
            and configured.source in ('*', places.source)
            and configured.schema_name in ('*', places.schema_name)
    group by places.vendor, places.table_name, places.source, places.schema_name
)

select
    vendor,
    table_name,
    map_from_entries(collect_list(struct(place, settings))) as settings_by_scope
from settings_of_places
group by vendor, table_name

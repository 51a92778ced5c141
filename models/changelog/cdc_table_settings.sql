{{ config(materialized='cdc_table', cdc_write='replace', file_format=cdc_work_format()) }}
-- depends_on: {{ ref('cdc_run_batches') }}

with configured as (
    select
        vendor,
        trim(source) as source,
        coalesce(trim(schema_name), '') as schema_name,
        table_name,
        from_json(key_columns, 'array<string>') as key_columns,
        from_json(history_ignored_columns, 'array<string>') as history_ignored_columns,
        lower(trim(replica_identity)) as replica_identity,
        from_json(column_names, 'array<string>') as column_names
    from {{ ref('cdc_tables') }}
    {%- if var('cdc_fixtures', false) | as_bool %}
    union all
    select
        vendor,
        trim(source) as source,
        coalesce(trim(schema_name), '') as schema_name,
        table_name,
        from_json(key_columns, 'array<string>') as key_columns,
        from_json(history_ignored_columns, 'array<string>') as history_ignored_columns,
        lower(trim(replica_identity)) as replica_identity,
        from_json(column_names, 'array<string>') as column_names
    from {{ ref('story_cdc_tables') }}
    {%- endif %}
),

best_fit_first as (
    select
        vendor,
        table_name,
        transform(
            array_sort(collect_list(struct(
                source = '*' as any_source,
                schema_name in ('*', '') as any_schema,
                source,
                schema_name,
                key_columns,
                history_ignored_columns,
                replica_identity,
                column_names
            ))),
            found -> struct(
                found.source as source,
                found.schema_name as schema_name,
                found.key_columns as key_columns,
                found.history_ignored_columns as history_ignored_columns,
                found.replica_identity as replica_identity,
                found.column_names as column_names
            )
        ) as candidates
    from configured
    group by vendor, table_name
)

select * from best_fit_first

{#- Post-hook of cdc_row_versions: the table function cdc_changes_between, for clients that write no dbt models. Iceberg's catalog holds no
    functions. -#}
{% macro cdc_create_functions(versions) -%}
    {%- if env_var('CDC_TABLE_FORMAT', 'delta') == 'iceberg' -%} {{ return('') }} {%- endif -%}
    create or replace function {{ versions.schema }}.cdc_changes_between(
        of_source string comment 'The feed.',
        of_table string comment 'The table.',
        from_time timestamp comment 'The earlier time (UTC).',
        to_time timestamp comment 'The later time (UTC).'
    )
    returns table (
        vendor string,
        source string,
        database_name string,
        schema_name string,
        table_name string,
        row_key string,
        change string,
        changed_at timestamp,
        row_before string,
        row_after string,
        changed_columns array<string>
    )
    comment 'What changed in a table between two times: one row per row that was inserted, updated or deleted.'
    return {{ cdc_changelog.cdc_changed_rows(
        versions,
        ['cdc_changes_between.from_time', 'cdc_changes_between.to_time'],
        'versions.source = cdc_changes_between.of_source and versions.table_name = cdc_changes_between.of_table',
        none,
    ) }}
{%- endmacro %}

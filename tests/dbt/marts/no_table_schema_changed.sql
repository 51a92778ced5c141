{%- set since = var('cdc_fail_on_schema_changes_since', none) -%}
{{ config(enabled=since is not none) }}
{#- Table schemas that came into use after a time and differ from the one before: for those who want a build to end red
    when a source changes a table. Once they have been looked at, the time is moved. -#}
select
    vendor,
    source,
    schema_name,
    table_name,
    first_committed_at,
    columns_added,
    columns_removed,
    columns_changed
from {{ ref('cdc_table_schemas') }}
where
    first_committed_at > timestamp '{{ since }}'
    and size(array_union(array_union(columns_added, columns_removed), columns_changed)) > 0

{#- Of a typed table: its rows have no column that the table does not know. known_columns are the names at the source. -#}
{% test no_new_columns(model, source, table_name, known_columns) %}
with seen as (
    select explode(json_object_keys(`row`)) as column_name
    from {{ ref('cdc_changelog', 'cdc_current_rows') }}
    where source = '{{ source }}' and table_name = '{{ table_name }}'
),

new_columns as (
    select
        column_name,
        count(*) as row_count
    from seen
    where column_name not in ({{ cdc_changelog.cdc_sql_list(known_columns) }})
    group by column_name
)

select * from new_columns
{% endtest %}

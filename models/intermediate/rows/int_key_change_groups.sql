{#- int_table_events is compiled first and asks for the plan of the rows: at the same time, each model would ask. -#}
-- depends_on: {{ ref('int_table_events') }}

-- One row per table, with a list of the pairs of rows that a key change connects: those in which the row at the new key
-- takes values from the one at the old key, or in which their order is not known.
with key_changes as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        collect_list(struct(row_id_before as row_id_before, row_id as row_id)) as moves
    from {{ cdc_visible_changes() }} as changes
    where row_id_before is not null and (after_image <> 'full' or position is null)
    group by vendor, source, database_name, schema_name, table_name
)

{%- if cdc_calls_python() %}

select inline(cdc_connect_rows(moves)) as (row_id, row_group)
from key_changes
{%- else %}

select inline({{ cdc_connect_rows_in_sql('moves') }}) as (row_id, row_group)
from key_changes
{%- endif %}

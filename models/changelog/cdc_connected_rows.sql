{{ config(materialized='cdc_table', cdc_write='replace', file_format=cdc_work_format(), tags=['python_udf']) }}

-- After the load is finished, and changes that it withdraws are gone.
-- depends_on: {{ ref('cdc_loads') }}
{%- if not cdc_log_features().key_changes %}

{{ cdc_no_rows() }}
{%- else %}

-- Key changes with an image that is not full make one row depend on another's past, and so do those without a
-- position: both rows tell where they belong.
with moves as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        row_id_before,
        row_id
    from {{ ref('cdc_changelog') }}
    where row_id_before is not null and (after_image <> 'full' or position is null)
),

moves_of_a_table as (
    select
        vendor,
        source,
        database_name,
        schema_name,
        table_name,
        collect_list(struct(row_id_before as row_id_before, row_id as row_id)) as moves
    from moves
    group by vendor, source, database_name, schema_name, table_name
),

connected as (
    select cdc_connect_rows(moves) as connected_rows
    from moves_of_a_table
),

final as (
    select
        connected_row.row_id,
        connected_row.group_id
    from connected
        lateral view explode(connected_rows) exploded as connected_row
)

select * from final
{%- endif %}

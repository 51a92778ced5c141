{{
    config(
        materialized='cdc_table',
        cdc_write='append',
        unique_key=['change_id'],
        cdc_skipping_columns=[
            'vendor', 'source', 'database_name', 'schema_name', 'table_name', 'operation', 'after_image', 'epoch',
            'position', 'committed_at', 'snapshot_at', 'landing_batch', 'row_id', 'row_id_before', 'reread_element',
            'load_number',
        ],
        schema=var('cdc_schema', 'cdc'),
        full_refresh=false,
        contract={'enforced': true},
        access='public',
        pre_hook=["{{ cdc_note_withdrawn_changes() }}", "{{ cdc_replace_better_told_changes() }}"],
    )
}}

-- What is new is nearly all of what a run reads, so the few elements that are not are taken out by a small join.
with not_to_append as (
    select element_id from {{ ref('cdc_run_exceptions') }}
    where placing <> 'append'
),

conflicting as (
    select element_id from {{ ref('cdc_run_exceptions') }}
    where is_conflicting
),

this_run as (
    select max(load_number) as load_number from {{ ref('cdc_run_batches') }}
),

new_changes as (
    select
    {%- for column in cdc_changelog_columns() %}
        {%- if column.name == 'warnings' %}
        case
            when conflicting.element_id is not null
                then array_append(coalesce(elements.warnings, array()), 'CONFLICTING_DELIVERIES')
            else elements.warnings
        end as warnings
        {%- elif column.name in ['load_number', 'first_load_number'] %}
        this_run.load_number as {{ column.name }}
        {%- elif column.name == 'former_row_ids' %}
        cast(null as array<string>) as former_row_ids
        {%- else %}
        elements.`{{ column.name }}`
        {%- endif %}
        {{- ',' if not loop.last }}
    {%- endfor %}
    from {{ ref('cdc_run_elements') }} as elements
    left anti join not_to_append on elements.element_id = not_to_append.element_id
    left join conflicting on elements.element_id = conflicting.element_id
    cross join this_run
    where elements.outcome = 'change'
)

select * from new_changes

{#- A select of what happened to each row: every change with a row, once for the row under its key, and a key change once more
    for the row under its key before (half `in` and `out`). order_epoch, position and order_rank are the first parts of its
    order (S3); placement_at is the time that places an event without a position (S9), null where it goes to the start of its
    epoch. only_touched_rows: whether to keep to the rows of cdc_run_touched_rows; with_moves: false where no row that is wanted ever had
    another key. -#}
{% macro cdc_row_events(only_touched_rows, with_moves=true) -%}
    {#- Named even where it is not read: dbt learns the order of models when nothing is known of the run yet. -#}
    {%- set touched_rows = ref('cdc_run_touched_rows') -%}
    {%- for half in (['in', 'out'] if with_moves else ['in']) %}
    {%- if half == 'out' %}
    union all
    {% endif -%}
    select
        changes.vendor, changes.source, changes.database_name, changes.schema_name, changes.table_name,
        {%- if half == 'in' %}
        changes.row_id,
        changes.row_key,
        case when changes.row_id_before is not null then 'in' end as half,
        changes.after as image,
        coalesce(changes.after_image, 'none') as image_kind,
        changes.row_key_before as moved_from_row_key,
        cast(null as string) as moved_to_row_key,
        {%- else %}
        changes.row_id_before as row_id,
        changes.row_key_before as row_key,
        'out' as half,
        cast(null as string) as image,
        'none' as image_kind,
        cast(null as string) as moved_from_row_key,
        changes.row_key as moved_to_row_key,
        {%- endif %}
        changes.operation,
        changes.before as image_before,
        changes.before_image as image_before_kind,
        changes.position,
        changes.committed_at,
        changes.change_id,
        concat(
            changes.epoch, ':', coalesce(changes.transaction_id, substring_index(changes.position, '/', 1))
        ) as transaction_scope,
        coalesce(changes.committed_at, changes.snapshot_at) as happened_at,
        case
            when changes.position is not null then cast(null as timestamp)
            when changes.operation = 'snapshot' and changes.vendor in ({{ cdc_vendors_with_snapshots_first() }})
                then cast(null as timestamp)
            else coalesce(changes.snapshot_at, changes.committed_at)
        end as placement_at,
        changes.epoch as order_epoch,
        case changes.operation when 'snapshot' then 0 when 'insert' then 2 when 'update' then 3 else 4 end as order_rank
    from {{ cdc_visible_changes() }} as changes
    {%- if only_touched_rows %}
    left semi join {{ touched_rows }} as touched
        on touched.row_id = changes.row_id{{ '_before' if half == 'out' }}
    {%- endif %}
    where changes.row_id{{ '_before' if half == 'out' }} is not null
    {%- endfor %}
{%- endmacro %}

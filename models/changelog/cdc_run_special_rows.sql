{{ config(materialized='cdc_table', cdc_write='replace', file_format=cdc_work_format()) }}
{%- if not cdc_log_features().special %}

{{ cdc_no_rows() }}
{%- else %}

-- Most rows need one window over full images in position order. These need more.
with events as (
    {{ cdc_row_events(not cdc_makes_all_rows()) | indent(4) }}
),

special_rows as (
    select
        row_id,
        coalesce(max(placement_at is not null), false) as is_placed_by_time,
        coalesce(max(half is not null or (operation <> 'delete' and image_kind <> 'full')), false) as is_folded
    from events
    where placement_at is not null or half is not null or (operation <> 'delete' and image_kind <> 'full')
    group by row_id
),

final as (
    select
        special_rows.row_id,
        special_rows.is_placed_by_time,
        special_rows.is_folded,
        coalesce(connected.group_id, special_rows.row_id) as group_id
    from special_rows
    left join {{ ref('cdc_connected_rows') }} as connected on special_rows.row_id = connected.row_id
)

select * from final
{%- endif %}

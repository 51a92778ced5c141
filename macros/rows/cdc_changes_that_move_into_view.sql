{#- The changes that come into view, or leave it (is_hidden), since the versions were built (S12). -#}
{% macro cdc_changes_that_move_into_view() -%}
    (
        select
            changes.*,
            not {{ cdc_is_visible('changes') }} as is_hidden
        from {{ cdc_events_of_marts() }} as changes
        left join (
            select vendor, source, max(struct(latest.epoch, latest.position)) as shown_position
            from {{ cdc_existing_table('int_row_versions', cdc_parse_columns(
                'vendor string; source string; latest struct<epoch: int, position: string>; is_void boolean'
            )) }} as versions
            where latest is not null and not is_void
            group by vendor, source
        ) as shown_to on changes.vendor = shown_to.vendor and changes.source = shown_to.source
        {{ cdc_visible_until_join('changes') }}
        where
            changes.status = 'change'
            and (
                shown_to.shown_position is null
                or struct(changes.epoch, changes.position) > shown_to.shown_position
                or struct(changes.epoch, changes.position) >= struct(visible_until.epoch, visible_until.position)
            )
    )
{%- endmacro %}

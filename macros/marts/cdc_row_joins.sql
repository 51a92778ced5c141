{#- Joins where an event without a position is placed (alias `placements`). events: alias of the events. -#}
{% macro cdc_placements_join(events) -%}
    left join {{ ref('cdc_run_placements') }} as placements
        on
            {{ events }}.row_id = placements.row_id
            and {{ events }}.change_id = placements.change_id
            and {{ events }}.position is null
{%- endmacro %}

{#- Joins what is special about an event's row (alias `special_rows`). events: alias of the events. -#}
{% macro cdc_special_rows_join(events) -%}
    left join {{ ref('cdc_run_special_rows') }} as special_rows on {{ events }}.row_id = special_rows.row_id
{%- endmacro %}

{#- Joins the truncates and resets of an event's table (alias `table_barriers`). events: alias of the events. -#}
{% macro cdc_barriers_join(events) -%}
    left join {{ ref('cdc_table_barriers') }} as table_barriers
        on
            {%- for column in ['vendor', 'source', 'database_name', 'schema_name', 'table_name'] %}
            {{ 'and ' if not loop.first }}{{ events }}.{{ column }} <=> table_barriers.{{ column }}
            {%- endfor %}
{%- endmacro %}

{#- The events that count: those of a store that no later event of it replaces, and that are not among those left out besides. -#}
{% macro cdc_effective_events(store, left_out='') -%}
    (
        select events.*
        from {{ store }} as events
        left anti join (
            select explode(replaces) as event_id from {{ store }}
            where replaced_because is not null
            {{ 'union all ' ~ left_out if left_out }}
        ) as left_out
            on events.load_number = left_out.event_id.load_number and events.event_number = left_out.event_id.event_number
    )
{%- endmacro %}

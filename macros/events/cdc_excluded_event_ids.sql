{#- The ids of events that are left out, as a select of structs: those of a list; all that `cdc_excluded_events` names where the list is none;
    nothing for an empty list. -#}
{% macro cdc_excluded_event_ids(excluded_events) -%}
    {%- if excluded_events is none -%}
        select struct(load_number, event_number) as event_id from {{ ref('int_excluded_events') }}
    {%- elif excluded_events -%}
        select struct(load_number, event_number) as event_id
        from values
        {%- for event in excluded_events %}
            ({{ event.load_number }}L, {{ event.event_number }}L){{ ',' if not loop.last }}
        {%- endfor %}
            as excluded (load_number, event_number)
    {%- endif -%}
{%- endmacro %}

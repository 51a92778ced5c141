{#- The events that the marts are made of: those that count and that no line of `cdc_excluded_events` takes out. -#}
{% macro cdc_events_of_marts() -%}
    {%- set excluded -%}
        select struct(load_number, event_number) as event_id from {{ ref('int_excluded_events') }}
    {%- endset -%}
    {{ cdc_effective_events(ref('int_events'), excluded) }}
{%- endmacro %}

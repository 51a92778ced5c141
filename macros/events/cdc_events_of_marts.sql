{#- The events that the marts are made of: those that count and that no line of `cdc_excluded_events` takes out. -#}
{% macro cdc_events_of_marts() -%}
    {{ cdc_effective_events(ref('int_events'), cdc_excluded_event_ids(none)) }}
{%- endmacro %}

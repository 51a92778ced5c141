{#- The columns that say where an event came from: every model of staging hands them on. -#}
{% macro cdc_transport_columns(event_index='event_index') -%}
    source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers,
    {{ event_index if event_index == 'event_index' else event_index ~ ' as event_index' }}, stored_event
{%- endmacro %}

{#- The columns that say where an event came from: every model of staging hands them on.
    event_index: SQL expression of the event's index, where a model makes it. -#}
{% macro cdc_transport_columns(event_index='event_index') -%}
    source, landing_batch, topic, `partition`, `offset`, `timestamp`, `key`, headers,
    {{ event_index if event_index == 'event_index' else event_index ~ ' as event_index' }}, stored_event
{%- endmacro %}

{#- Columns of stg_<vendor>__changes that a vendor never fills, as nulls of their types, for a select list.
    names: list of names of cdc_element_columns. -#}
{% macro cdc_absent(names) -%}
    {%- for column in cdc_element_columns() if column.name in names %}
    cast(null as {{ column.type }}) as {{ column.name }}{{ ',' if not loop.last }}
    {%- endfor %}
{%- endmacro %}

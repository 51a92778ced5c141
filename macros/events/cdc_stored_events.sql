{#- The event store as an earlier run left it, for models that stand before it (a `ref` would be a cycle). -#}
{% macro cdc_stored_events() -%}
    {{ cdc_existing_table('int_events', cdc_event_columns()) }}
{%- endmacro %}

{#- What is known of the events in a batch, two columns of a select list; null and false where it is no batch. -#}
{% macro cdc_batch_columns(is_batch, text, clean_text, name, as_read) -%}
    case when {{ is_batch }} then {{ cdc_are_items_json(text, clean_text, name, as_read) }} end as are_events_json,
    coalesce({{ is_batch }} and {{ cdc_holds_long_numbers(text) }}, false) as has_long_numbers
{%- endmacro %}

{#- Whether an event out of a batch holds a number that has become a string. -#}
{% macro cdc_event_has_number_as_text(event, has_long_numbers) -%}
    ({{ has_long_numbers }} and {{ cdc_may_hold_number_as_text(event) }})
{%- endmacro %}

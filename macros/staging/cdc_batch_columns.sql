{#- What is known of the events in a batch, two columns of a select list; null and false where it is no batch:
      are_events_json   for each event, whether it is free of raw control characters; null where all are
      has_long_numbers  true where a number of more than 38 digits becomes a string
    is_batch: SQL condition. text, clean_text: SQL expressions of the batch as it was sent, and without control characters.
    name: name of the list in it. as_read: SQL expression, the list as array<string> that from_json made of text. -#}
{% macro cdc_batch_columns(is_batch, text, clean_text, name, as_read) -%}
    case when {{ is_batch }} then {{ cdc_are_items_json(text, clean_text, name, as_read) }} end as are_events_json,
    coalesce(
        {{ is_batch }} and {{ cdc_has_inexact_numbers(text) }} and {{ text }} <> {{ cdc_long_numbers_as_text(text) }}, false
    ) as has_long_numbers
{%- endmacro %}

{#- True where an event out of a batch holds a number that has become a string. event: SQL expression of its text.
    has_long_numbers: SQL condition that cdc_batch_columns gave. -#}
{% macro cdc_event_has_number_as_text(event, has_long_numbers) -%}
    ({{ has_long_numbers }} and {{ event }} rlike '"-?[0-9.]{40}')
{%- endmacro %}

{#- A column of an event's place in the transport: that of its first delivery where that is another one, since a change lies there (S3). -#}
{% macro cdc_of_first_delivery(events, column) -%}
    if({{ events }}.first_delivery is null, {{ events }}.`{{ column }}`, {{ events }}.first_delivery.`{{ column }}`)
{%- endmacro %}

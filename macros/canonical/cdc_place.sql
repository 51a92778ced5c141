{#- Where an event lies, a struct whose first field sorts: in the transport's order, then by landing batch. -#}
{% macro cdc_place() -%}
    struct(
        {{ cdc_transport_order() }} as transport_order,
        landing_batch,
        topic,
        `partition`,
        `offset`,
        event_index
    )
{%- endmacro %}

{#- The place of a delivery (a struct as of cdc_delivery_type), a struct that sorts in the transport's order, then by landing batch. -#}
{% macro cdc_delivery_place(delivery) -%}
    struct(
        {{ cdc_transport_order(delivery) }} as transport_order,
        {{ delivery }} as delivery
    )
{%- endmacro %}

{#- Where a delivery lies, a type. -#}
{% macro cdc_delivery_type() -%}
    struct<landing_batch: bigint, topic: string, `partition`: int, `offset`: bigint, event_index: int>
{%- endmacro %}

{#- Where an event lies in the transport, a struct that sorts: topic, partition, offset, index in the message; nulls last (S3). -#}
{#- delivery: a struct that holds columns of these names, where they do not stand in the rows themselves. -#}
{% macro cdc_transport_order(delivery=none) -%}
    {%- set of = delivery ~ '.' if delivery else '' -%}
    struct(
        {{ of }}topic is null as has_no_topic,
        {{ of }}topic as topic,
        coalesce({{ of }}`partition`, 2147483647) as `partition`,
        coalesce({{ of }}`offset`, 9223372036854775807) as `offset`,
        coalesce({{ of }}event_index, 2147483647) as event_index
    )
{%- endmacro %}

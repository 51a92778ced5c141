{#- Where an event lies in the transport, a struct that sorts: topic, partition, offset, index in the message; nulls last (S3). -#}
{% macro cdc_transport_order() -%}
    struct(
        topic is null as has_no_topic,
        topic as topic,
        coalesce(`partition`, 2147483647) as `partition`,
        coalesce(`offset`, 9223372036854775807) as `offset`,
        coalesce(event_index, 2147483647) as event_index
    )
{%- endmacro %}

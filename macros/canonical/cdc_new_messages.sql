{#- This run's input of one vendor, a select in parentheses with the columns of cdc_raw.<vendor>: the raw messages of the landing
    batches that this run reads (stored_event is null; value is the whole body), and the events that wait (stored_event names
    the one that is stored; value is the event as it was taken out of its envelope, event_index says where it lay).
    vendor: the vendor's name as its spec gives it. -#}
{% macro cdc_new_messages(vendor) -%}
        (
        select
            raw.value, raw.key, raw.headers, raw.topic, raw.partition, raw.offset, raw.timestamp, raw.source,
            raw.landing_batch, cast(null as int) as event_index,
            cast(null as struct<load_number: bigint, event_number: bigint>) as stored_event
        from {{ cdc_raw_relation(vendor) }} as raw
        where
            raw.landing_batch in (
                select batches.landing_batch from {{ ref('int_landing_batches') }} as batches
                where batches.vendor = '{{ vendor }}'
            )
            -- Known before the scan starts, so that partitions of other batches are not read.
            and raw.landing_batch between (
                select min(batches.landing_batch) from {{ ref('int_landing_batches') }} as batches
                where batches.vendor = '{{ vendor }}'
            ) and (
                select max(batches.landing_batch) from {{ ref('int_landing_batches') }} as batches
                where batches.vendor = '{{ vendor }}'
            )
        {%- if vendor in cdc_run_facts().waiting_vendors %}
        union all
        select
            waiting.event, waiting.message_key, waiting.headers, waiting.topic, waiting.`partition`, waiting.`offset`,
            waiting.message_timestamp, waiting.source, waiting.landing_batch, waiting.event_index,
            struct(waiting.load_number, waiting.event_number)
        from {{ cdc_events_that_count(cdc_event_store()) }} as waiting
        where waiting.vendor = '{{ vendor }}' and waiting.status = 'pending'
        {%- endif %}
    )
{%- endmacro %}

{#- This run's input of one vendor, a select in parentheses: the raw messages of the landing batches that this run reads
    (origin `new`; value is the whole body), and what waits in cdc_pending_messages (origin `retry`; value is one element
    as it was taken out of its envelope, event_index says where it lay). Both have the columns of cdc_raw.<vendor>.
    vendor: the vendor's name as its spec gives it. -#}
{% macro cdc_new_messages(vendor) -%}
    {%- set pending_columns = [
        {'name': 'vendor', 'type': 'string'}, {'name': 'value', 'type': 'string'}, {'name': 'key', 'type': 'string'},
        {'name': 'headers', 'type': 'map<string,string>'}, {'name': 'topic', 'type': 'string'},
        {'name': 'partition', 'type': 'int'}, {'name': 'offset', 'type': 'bigint'},
        {'name': 'timestamp', 'type': 'timestamp'}, {'name': 'source', 'type': 'string'},
        {'name': 'landing_batch', 'type': 'bigint'}, {'name': 'event_index', 'type': 'int'},
        {'name': 'load_number', 'type': 'bigint'},
    ] -%}
    (
        select
            raw.value, raw.key, raw.headers, raw.topic, raw.partition, raw.offset, raw.timestamp, raw.source,
            raw.landing_batch, cast(null as int) as event_index, 'new' as origin
        from {{ cdc_raw_relation(vendor) }} as raw
        where
            raw.landing_batch in (
                select batches.landing_batch from {{ ref('cdc_run_batches') }} as batches
                where batches.vendor = '{{ vendor }}'
            )
            -- Known before the scan starts, so that partitions of other batches are not read.
            and raw.landing_batch between (
                select min(batches.landing_batch) from {{ ref('cdc_run_batches') }} as batches
                where batches.vendor = '{{ vendor }}'
            ) and (
                select max(batches.landing_batch) from {{ ref('cdc_run_batches') }} as batches
                where batches.vendor = '{{ vendor }}'
            )
        union all
        select
            waiting.value, waiting.key, waiting.headers, waiting.topic, waiting.partition, waiting.offset,
            waiting.timestamp, waiting.source, waiting.landing_batch, waiting.event_index, 'retry' as origin
        from {{ cdc_earlier(
            var('cdc_work_schema', 'cdc_work'),
            'cdc_pending_log' if not cdc_knows_its_run() or vendor in cdc_run_facts().waiting_vendors else none,
            pending_columns
        ) }} as waiting
        where
            waiting.vendor = '{{ vendor }}'
            and waiting.load_number in (
                select batches.retried_load_number from {{ ref('cdc_run_batches') }} as batches
                where batches.retried_load_number is not null
            )
    )
{%- endmacro %}

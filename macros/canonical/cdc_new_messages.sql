{#- The new raw messages of one vendor, with the columns of cdc_stored_messages. -#}
{% macro cdc_new_messages(vendor) -%}
    {%- set of_vendor = 'from ' ~ ref('int_landing_batches') ~ " as batches where batches.vendor = '" ~ vendor ~ "'" %}
    (
        select
            raw.value, raw.key, raw.headers, raw.topic, raw.partition, raw.offset, raw.timestamp, raw.source,
            raw.landing_batch, cast(null as int) as event_index,
            cast(null as string) as stored_event
        from {{ cdc_raw_relation(vendor) }} as raw
        where
            raw.landing_batch in (select batches.landing_batch {{ of_vendor }})
            -- Known before the scan starts, so that partitions of other batches are not read.
            and raw.landing_batch >= (select min(batches.landing_batch) {{ of_vendor }})
            and raw.landing_batch <= (select max(batches.landing_batch) {{ of_vendor }})
    )
{%- endmacro %}

{#- The stored events of one vendor that this run decodes again. -#}
{% macro cdc_stored_messages(vendor) -%}
    (
        select * except (vendor) from {{ ref('int_events_to_decode') }}
        where vendor = '{{ vendor }}'
    )
{%- endmacro %}

{#- What this run decodes of one vendor: new raw messages and stored events. A unit test brings its own messages. -#}
{% macro cdc_messages(vendor) -%}
    (
        select * from {{ cdc_new_messages(vendor) }} as new_messages
        {%- if not cdc_is_unit_test() %}
        union all
        select * from {{ cdc_stored_messages(vendor) }} as stored_messages
        {%- endif %}
    )
{%- endmacro %}

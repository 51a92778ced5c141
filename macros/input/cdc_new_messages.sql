{#- The new raw messages of one vendor that can be read, and those that were too large for an earlier run. A stored event that a message
    replaces is named; a unit test brings its own messages. -#}
{% macro cdc_new_messages(vendor) -%}
    (
        select
            raw.value, raw.key, raw.headers, raw.topic, raw.partition, raw.offset, raw.timestamp, raw.source,
            raw.landing_batch, cast(null as int) as event_index,
            cast(null as string) as redecoded_event_id
        from {{ cdc_raw_relation(vendor) }} as raw
        where {{ cdc_is_of_new_batch(vendor) }}
            and {{ cdc_message_problem() }} is null
        {%- if not cdc_is_unit_test() %}
        union all
        select * except (vendor) from {{ ref('run_large_messages') }}
        where vendor = '{{ vendor }}'
        {%- endif %}
    )
{%- endmacro %}

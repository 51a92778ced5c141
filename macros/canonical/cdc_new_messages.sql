{#- The new raw messages of one vendor that can be read, and those that were too large for an earlier run. A stored event that a message
    replaces is named; a unit test brings its own messages. -#}
{% macro cdc_new_messages(vendor) -%}
    (
        select
            raw.value, raw.key, raw.headers, raw.topic, raw.partition, raw.offset, raw.timestamp, raw.source,
            raw.landing_batch, cast(null as int) as event_index,
            cast(null as string) as stored_event
        from {{ cdc_raw_relation(vendor) }} as raw
        where {{ _cdc_is_of_new_batch(vendor) }}
            and {{ cdc_message_problem() }} is null
        {%- if not cdc_is_unit_test() %}
        union all
        select * except (vendor) from {{ ref('run_large_messages') }}
        where vendor = '{{ vendor }}'
        {%- endif %}
    )
{%- endmacro %}

{#- The new raw messages of one vendor that are never parsed, as events of staging: the body itself has a problem. -#}
{% macro cdc_refused_messages(vendor) -%}
    {%- set columns = cdc_staging_columns() -%}
    {%- set known = {
        'event_index': '0',
        'status': "'rejected'",
        'reason': 'raw.problem',
        'reason_detail': cdc_message_problem_detail('raw'),
        'event': "case when raw.problem <> 'TOO_LARGE' then raw.value end",
        'metadata': "case when raw.problem = 'TOO_LARGE' then " ~ cdc_large_message_metadata('raw.value') ~ ' end',
    } -%}
    {%- set of_message = [
        'source', 'landing_batch', 'topic', 'partition', 'offset', 'timestamp', 'key', 'headers',
    ] -%}
    (
        select
            {%- for column in columns %}
            {%- if column.name in of_message %}
            raw.`{{ column.name }}`
            {%- else %}
            {{ known.get(column.name, 'cast(null as ' ~ column.type ~ ')') }} as `{{ column.name }}`
            {%- endif %}
            {{- ',' if not loop.last }}
            {%- endfor %}
        from (
            select
                *,
                {{ cdc_message_problem() }} as problem
            from {{ cdc_raw_relation(vendor) }} as raw
            where {{ _cdc_is_of_new_batch(vendor) }}
        ) as raw
        where raw.problem is not null
    )
{%- endmacro %}

{#- Whether a message, relation `raw`, lies in a landing batch that this run reads. -#}
{% macro _cdc_is_of_new_batch(vendor) -%}
    {%- set of_vendor = 'from ' ~ ref('run_landing_batches') ~ " as batches where batches.vendor = '" ~ vendor ~ "'" -%}
    raw.landing_batch in (select batches.landing_batch {{ of_vendor }})
            -- Constant bounds let Spark leave out the partitions of other batches before the scan.
            and raw.landing_batch >= (select min(batches.landing_batch) {{ of_vendor }})
            and raw.landing_batch <= (select max(batches.landing_batch) {{ of_vendor }})
{%- endmacro %}

{#- The stored events of one vendor that this run decodes again. -#}
{% macro cdc_stored_messages(vendor) -%}
    (
        select * except (vendor) from {{ ref('stg_events_to_decode') }}
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

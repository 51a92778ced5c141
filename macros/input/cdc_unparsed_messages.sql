{#- The new raw messages of one vendor that are never parsed, as events of staging: the body itself has a problem. -#}
{% macro cdc_unparsed_messages(vendor) -%}
    {%- set columns = cdc_staging_columns() -%}
    {%- set values = {
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
            {{ values.get(column.name, 'cast(null as ' ~ column.type ~ ')') }} as `{{ column.name }}`
            {%- endif %}
            {{- ',' if not loop.last }}
            {%- endfor %}
        from (
            select
                *,
                {{ cdc_message_problem() }} as problem
            from {{ cdc_raw_relation(vendor) }} as raw
            where {{ cdc_is_of_new_batch(vendor) }}
        ) as raw
        where raw.problem is not null
    )
{%- endmacro %}

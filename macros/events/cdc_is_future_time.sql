{#- Whether a change claims a time more than a day after its message was sent, or, where that is not known, after its batch landed. -#}
{% macro cdc_is_future_time(time) -%}
    (
        {{ time }} > `timestamp` + interval 1 day
        or (
            `timestamp` is null
            and {{ time }} > (select min(times.landed_at) from {{ ref('int_landing_times') }} as times) + interval 1 day
            and {{ time }} > try_element_at(
                (select map_from_entries(collect_list(struct(times.batch, times.landed_at))) from {{ ref('int_landing_times') }} as times),
                concat(vendor, '/', landing_batch)
            ) + interval 1 day
        )
    )
{%- endmacro %}

{#- Half-open intervals [valid_from, valid_to), in the given order within each partition, never
    overlap and never run backwards; only the last of a partition may be open. An empty interval
    is allowed. A null valid_to means open, or, where is_open is given, only where that is true:
    else the time is unknown and not compared. -#}
{% test no_overlap(model, partition_by, order_by, valid_from, valid_to, is_open=none) %}
with intervals as (
    select
        {%- for column in partition_by + order_by %}
        `{{ column }}`,
        {%- endfor %}
        {{ valid_from }} as interval_from,
        {{ valid_to }} as interval_to,
        {{ is_open or valid_to ~ ' is null' }} as interval_is_open
    from {{ model }}
),

intervals_with_their_past as (
    select
        *,
        max(greatest(interval_from, interval_to)) over (
            partition by
                {%- for column in partition_by %}
                `{{ column }}`{{ ',' if not loop.last }}
                {%- endfor %}
            order by
                {%- for column in order_by %}
                `{{ column }}` asc nulls first{{ ',' if not loop.last }}
                {%- endfor %}
            rows between unbounded preceding and 1 preceding
        ) as reached_before,
        count_if(interval_is_open) over (
            partition by
                {%- for column in partition_by %}
                `{{ column }}`{{ ',' if not loop.last }}
                {%- endfor %}
            order by
                {%- for column in order_by %}
                `{{ column }}` asc nulls first{{ ',' if not loop.last }}
                {%- endfor %}
            rows between unbounded preceding and 1 preceding
        ) as open_before
    from intervals
),

overlaps as (
    select * from intervals_with_their_past
    where
        interval_to < interval_from
        or interval_from < reached_before
        or open_before > 0
        or (interval_is_open and interval_to is not null)
)

select * from overlaps
{% endtest %}

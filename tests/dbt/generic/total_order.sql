{#- The order leaves no ties: within a partition no two rows stand at the same place. order_by
    takes expressions, for an order that is not made of columns alone. -#}
{% test total_order(model, partition_by, order_by) %}
with places as (
    select
        {%- for expression in partition_by %}
        {{ expression }} as partition_{{ loop.index }},
        {%- endfor %}
        {%- for expression in order_by %}
        {{ expression }} as place_{{ loop.index }}{{ ',' if not loop.last }}
        {%- endfor %}
    from {{ model }}
),

rows_at_places as (
    select
        *,
        count(*) over (
            partition by
                {%- for expression in partition_by %}
                partition_{{ loop.index }},
                {%- endfor %}
                {%- for expression in order_by %}
                place_{{ loop.index }}{{ ',' if not loop.last }}
                {%- endfor %}
        ) as rows_at_place
    from places
),

ties as (
    select * from rows_at_places
    where rows_at_place > 1
)

select * from ties
{% endtest %}

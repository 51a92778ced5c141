{#- No two rows agree in all of the columns; null equals null. -#}
{% test unique_combination(model, columns) %}
with combinations as (
    select
        {%- for column in columns %}
        `{{ column }}`,
        {%- endfor %}
        count(*) as times_found
    from {{ model }}
    group by
        {%- for column in columns %}
        `{{ column }}`{{ ',' if not loop.last }}
        {%- endfor %}
),

repeated as (
    select * from combinations
    where times_found > 1
)

select * from repeated
{% endtest %}

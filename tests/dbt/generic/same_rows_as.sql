{#- Both relations hold the same rows, each as often: compared in both directions, null equals
    null. A row in the result says how often each side has it. -#}
{% test same_rows_as(model, compare, columns) %}
with expected_and_found as (
    select
        {%- for column in columns %}
        `{{ column }}`,
        {%- endfor %}
        0 as times_found,
        1 as times_expected
    from {{ compare }}
    union all
    select
        {%- for column in columns %}
        `{{ column }}`,
        {%- endfor %}
        1 as times_found,
        0 as times_expected
    from {{ model }}
),

rows_counted as (
    select
        {%- for column in columns %}
        `{{ column }}`,
        {%- endfor %}
        sum(times_found) as times_found,
        sum(times_expected) as times_expected
    from expected_and_found
    group by
        {%- for column in columns %}
        `{{ column }}`{{ ',' if not loop.last }}
        {%- endfor %}
),

differences as (
    select * from rows_counted
    where times_found <> times_expected
)

select * from differences
{% endtest %}

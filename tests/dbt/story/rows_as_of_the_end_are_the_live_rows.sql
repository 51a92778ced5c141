{{ config(enabled=var('cdc_fixtures', false) | as_bool, tags=['fixtures']) }}

with counted as (
    select
        vendor,
        table_name,
        row_key,
        `row`,
        1 as as_of_the_end,
        0 as live
    from {{ rows_as_of(time='2999-01-01 00:00:00', where="source = 'story' and valid_from is not null") }} as rows_then
    union all
    select
        vendor,
        table_name,
        row_key,
        `row`,
        0 as as_of_the_end,
        1 as live
    from {{ ref('cdc_current_rows') }}
    where source = 'story' and not is_deleted
),

final as (
    select
        vendor,
        table_name,
        row_key,
        `row`
    from counted
    group by vendor, table_name, row_key, `row`
    having sum(as_of_the_end) <> sum(live)
)

select * from final

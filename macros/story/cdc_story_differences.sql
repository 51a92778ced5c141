{#- A select of everything in which a mart differs from what the story expects, per vendor, less
    the rows that the vendor's format cannot carry. Compared in both directions, each row as
    often as it stands there, null equal to null.
    mart: name of the mart; expected: name of the seed; columns: list of {'name', 'expected',
    'found'}, where expected and found are SQL expressions over the seed (alias `story`) and the
    mart (alias `mart`), and where a third alias, `vendors`, gives vendor and
    tells_completeness; only: condition on the mart. -#}
{% macro cdc_story_differences(mart, expected, columns, only='true') -%}
with vendors as (
    {{ cdc_story_vendors() | trim }}
),

row_keys_left_out as (
    select vendors.vendor, story.table_name, story.row_key
    from vendors
    cross join {{ ref('expected_current_rows') }} as story
    where arrays_overlap(split(coalesce(story.needs, ''), ','), vendors.missing_features)
),

expected_rows as (
    select
        vendors.vendor,
        story.table_name,
        story.row_key,
        {%- for column in columns %}
        {{ column.expected }} as `{{ column.name }}`,
        {%- endfor %}
        1 as times_expected,
        0 as times_found
    from vendors
    cross join {{ ref(expected) }} as story
    where not arrays_overlap(split(coalesce(story.needs, ''), ','), vendors.missing_features)
),

found_rows as (
    select
        mart.vendor,
        mart.table_name,
        mart.row_key,
        {%- for column in columns %}
        {{ column.found }} as `{{ column.name }}`,
        {%- endfor %}
        0 as times_expected,
        1 as times_found
    from {{ ref(mart) }} as mart
    inner join vendors
        on vendors.vendor = mart.vendor
    left anti join row_keys_left_out
        on
            row_keys_left_out.vendor = mart.vendor
            and row_keys_left_out.table_name = mart.table_name
            and row_keys_left_out.row_key = mart.row_key
    where mart.source = 'story' and {{ only }}
),

expected_and_found_rows as (
    select * from expected_rows
    union all
    select * from found_rows
),

rows_counted as (
    select
        vendor,
        table_name,
        row_key,
        {%- for column in columns %}
        `{{ column.name }}`,
        {%- endfor %}
        sum(times_expected) as times_expected,
        sum(times_found) as times_found
    from expected_and_found_rows
    group by
        vendor,
        table_name,
        row_key,
        {%- for column in columns %}
        `{{ column.name }}`{{ ',' if not loop.last }}
        {%- endfor %}
),

differences as (
    select
        vendor,
        case when times_found < times_expected then 'missing' else 'unexpected' end as side,
        table_name,
        row_key,
        {%- for column in columns %}
        `{{ column.name }}`,
        {%- endfor %}
        times_expected,
        times_found
    from rows_counted
    where times_expected <> times_found
)

select * from differences
{%- endmacro %}

{#- No rows of these columns, a select in parentheses. -#}
{% macro cdc_no_rows(columns) -%}
    (
        select
            {%- for column in columns %}
            cast(null as {{ column.type }}) as `{{ column.name }}`{{ ',' if not loop.last }}
            {%- endfor %}
        where false
    )
{%- endmacro %}

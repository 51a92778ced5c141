{#- The name of a row's table out of the columns that a transformation of the task adds to every row, the first one that has a text; null
    where there is none. -#}
{% macro qlik_injected_table(row, columns) -%}
    coalesce(
        {%- for column in columns %}
        nullif(from_json({{ row }}, 'map<string,string>')[{{ cdc_literal(column) }}], ''),
        {%- endfor %}
        cast(null as string)
    )
{%- endmacro %}

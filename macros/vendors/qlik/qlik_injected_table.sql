{#- The table's name out of a column that the task adds to every row (var cdc_qlik_table_columns), null where there is none. -#}
{% macro qlik_injected_table(row) -%}
    {%- set columns = var('cdc_qlik_table_columns', ['tableName', '__table']) -%}
    {%- if columns is string or columns is not iterable -%}
        {{ exceptions.raise_compiler_error(
            "var cdc_qlik_table_columns is '" ~ columns ~ "'; expected a list of column names.") }}
    {%- endif -%}
    coalesce(
        {%- for column in columns %}
        case
            when contains({{ row }}, {{ cdc_literal('"' ~ column ~ '":') }})
                then nullif(from_json({{ row }}, 'map<string,string>')[{{ cdc_literal(column) }}], '')
        end,
        {%- endfor %}
        cast(null as string)
    )
{%- endmacro %}

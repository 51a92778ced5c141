{#- The names of the columns whose value was there and could not be cast; an empty array where all went well. -#}
{% macro cdc_cast_errors(columns, fields='fields') -%}
    filter(
        array(
            {%- for column in columns if column.type | lower | trim != 'string' %}
            case
                when
                    {{ cdc_typed_column(column.name, 'string', fields) }} is not null
                    and {{ cdc_typed_column(column.name, column.type, fields) }} is null
                    then {{ cdc_literal(column.name) }}
            end
            {{- ',' if not loop.last }}
            {%- else %}
            cast(null as string)
            {%- endfor %}
        ),
        column_name -> column_name is not null
    )
{%- endmacro %}

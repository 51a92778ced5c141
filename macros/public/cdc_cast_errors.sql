{#- The names of the columns whose value was there and could not be cast, or lost digits; an empty array where all went well. -#}
{% macro cdc_cast_errors(columns, fields='fields') -%}
    array_compact(array(
        {%- for column in columns if column.type | lower | trim != 'string' %}
        {{ cdc_changelog.cdc_cast_error(column.name, column.type, fields) }}
        {{- ',' if not loop.last }}
        {%- else %}
        cast(null as string)
        {%- endfor %}
    ))
{%- endmacro %}

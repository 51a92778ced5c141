{#- The column `warnings`: the codes whose conditions are true, in order. conditions: {code: SQL condition}.
    Nulls are left out by array_except, since array_compact runs a lambda. -#}
{% macro cdc_warnings(conditions) -%}
    array_except(
        array(
            {%- for code, condition in conditions.items() %}
            case when {{ condition }} then '{{ code }}' end{{ ',' if not loop.last }}
            {%- endfor %}
        ),
        array(cast(null as string))
    )
{%- endmacro %}

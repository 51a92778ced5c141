{#- The codes whose conditions are true, in order; an empty array where none is, which is nearly always. Every condition stands once:
    array_compact would run a lambda, array_except would build sets for every event. -#}
{% macro cdc_warnings(conditions) -%}
    concat(
        {%- for code, condition in conditions.items() %}
        if({{ condition }}, array('{{ code }}'), cast(array() as array<string>)){{ ',' if not loop.last }}
        {%- endfor %}
    )
{%- endmacro %}

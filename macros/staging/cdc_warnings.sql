{#- The column `warnings`: the codes whose conditions are true, in order. conditions: {code: SQL condition}.
    Nearly all events have none, and a list costs something to make. Nulls are left out by array_except, since array_compact
    runs a lambda. -#}
{% macro cdc_warnings(conditions) -%}
    {%- set codes = [] -%}
    {%- for code, condition in conditions.items() -%}
        {%- do codes.append('case when ' ~ condition ~ " then '" ~ code ~ "' end") -%}
    {%- endfor -%}
    if(
        coalesce({{ codes | join(', ') }}, '') = '',
        cast(array() as array<string>),
        array_except(
            array(
                {{ codes | join(',\n                ') }}
            ),
            array(cast(null as string))
        )
    )
{%- endmacro %}

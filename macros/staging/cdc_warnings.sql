{#- The column `warnings`: the codes whose conditions are true, in order. conditions: {code: SQL condition}.
    A text is taken apart, since array_compact runs a lambda and array_except builds two sets for every event. -#}
{% macro cdc_warnings(conditions) -%}
    regexp_extract_all(
        concat_ws(
            ' '
            {%- for code, condition in conditions.items() %},
            case when {{ condition }} then '{{ code }}' end
            {%- endfor %}
        ),
        '[A-Z_]+', 0
    )
{%- endmacro %}

{#- The codes whose conditions are true. A text is taken apart: array_compact runs a lambda, array_except builds sets per event. -#}
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

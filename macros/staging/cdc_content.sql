{#- What a change holds as it was sent, put together of JSON texts (SQL expressions): a JSON list of them, null for one that is missing. -#}
{% macro cdc_content(parts) -%}
    concat(
        '['
        {%- for part in parts %},
        coalesce({{ part }}, 'null'){{ ", ','" if not loop.last }}
        {%- endfor %},
        ']'
    )
{%- endmacro %}

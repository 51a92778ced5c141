{#- The values of a row, a list or an object. Cells may stand in {"values": […]}; a row by names may have a column of that name beside
    others. -#}
{% macro supabase_etl_row_content(row, members, kind) -%}
    {%- set unwrapped = supabase_etl_unwrapped_row(row, members, kind) -%}
    if(
        {{ kind }} = 'partial'
        or ({{ kind }} is not null and size({{ members }}) <> 1)
        or (
            size(try_variant_get({{ unwrapped }}, '$', 'map<string,variant>')) = 1
            and try_variant_get({{ unwrapped }}, '$.values', 'array<variant>') is not null
        ),
        try_variant_get({{ unwrapped }}, '$.values'),
        {{ unwrapped }}
    )
{%- endmacro %}

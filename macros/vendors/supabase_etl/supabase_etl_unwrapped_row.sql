{#- A row without its kind where that wraps it, {"Full": …}. -#}
{% macro supabase_etl_unwrapped_row(row, members, kind) -%}
    if({{ kind }} is not null and size({{ members }}) = 1, map_values({{ members }})[0], {{ row }})
{%- endmacro %}

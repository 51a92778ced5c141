{#- How much of a row was sent, as 2026 says it: full, partial or key, in {"Full": …} or in {"type": "full", "values": …}. Null where nothing
    says so. -#}
{% macro supabase_etl_row_kind(row, members) -%}
    regexp_substr(
        lower(case
            when size({{ members }}) = 1 then map_keys({{ members }})[0]
            when map_contains_key({{ members }}, 'values') then try_variant_get({{ row }}, '$.type', 'string')
        end),
        '^(?:full|partial|key)$'
    )
{%- endmacro %}

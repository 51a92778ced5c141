{#- A row in whatever form it was written, columns of a select list: its kind, and its cells by place or by name. -#}
{% macro supabase_etl_row_columns(name, row) -%}
    try_variant_get({{ row }}, '$', 'map<string,variant>') as {{ name }}_members,
    size({{ name }}_members) = 1 as {{ name }}_has_one_member,
    regexp_substr(
        lower(case
            when {{ name }}_has_one_member then map_keys({{ name }}_members)[0]
            when map_contains_key({{ name }}_members, 'values') then try_variant_get({{ row }}, '$.type', 'string')
        end),
        '^(?:full|partial|key)$'
    ) as {{ name }}_kind,
    if(
        {{ name }}_kind is not null and {{ name }}_has_one_member, map_values({{ name }}_members)[0], {{ row }}
    ) as {{ name }}_unwrapped,
    -- Cells may stand in {"values": […]}; a row by names may have a column of that name beside others.
    if(
        {{ name }}_kind = 'partial' or ({{ name }}_kind is not null and not {{ name }}_has_one_member)
        or (
            size(try_variant_get({{ name }}_unwrapped, '$', 'map<string,variant>')) = 1
            and try_variant_get({{ name }}_unwrapped, '$.values', 'array<variant>') is not null
        ),
        try_variant_get({{ name }}_unwrapped, '$.values'), {{ name }}_unwrapped
    ) as {{ name }}_content,
    try_variant_get({{ name }}_content, '$', 'array<variant>') as {{ name }}_cells,
    try_variant_get({{ name }}_content, '$', 'map<string,variant>') as {{ name }}_named
{%- endmacro %}

{#- Which of a table's schemas a row is decoded with: the last one at or before its place. A copied row takes the first. -#}
{% macro supabase_etl_effective_schema(schemas, place) -%}
    case
        when {{ place }} is null then try_element_at({{ schemas }}, 1)
        else coalesce(
            -- Without an ordinal a row stands behind all that share its LSNs.
            try_element_at(filter(
                {{ schemas }}, known -> known.position <= concat({{ place }}, if(endswith({{ place }}, '/'), '~', ''))
            ), -1),
            try_element_at(filter({{ schemas }}, known -> startswith(known.position, left({{ place }}, 34))), 1)
        )
    end
{%- endmacro %}

{#- Which of a table's schemas a row is decoded with: the last one at or before the row's place, else the first that shares the
    row's two LSNs (a Relation comes before the row it is sent for, whatever a counter says). A copied row has no place; it takes
    the table's first schema.
    schemas: SQL expression, array of schemas in order of position. place: SQL expression, what supabase_etl_position gave. -#}
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

{#- Which variant of an updated or old row a JSON text is: full, partial or key, in either spelling ({"Full": row} or
    {"type": "full", …}); null for a bare row. A row object with a column named like a variant is no variant: that has other
    columns beside it, or no row inside.
    text: SQL expression, compact JSON text. -#}
{% macro supabase_etl_wrapper(text) -%}
    case
        when {{ text }} rlike '^\\{"(?i:full|partial|key)":[\\[{]'
            then case
                when size(json_object_keys({{ text }})) = 1 then lower(regexp_extract({{ text }}, '^\\{"([A-Za-z]+)"', 1))
            end
        when {{ text }} rlike '^\\{"type":"(?i:full|partial|key)",'
            then lower(regexp_extract({{ text }}, '^\\{"type":"([A-Za-z]+)"', 1))
    end
{%- endmacro %}

{#- Which variant of an updated or old row a JSON text is: full, partial or key, in either spelling ({"Full": row} or
    {"type": "full", …}); null for a bare row. A row object with a column named like a variant is no variant: that has other
    columns beside it, or no row inside.
    text: SQL expression, compact JSON text. -#}
{% macro supabase_etl_wrapper(text) -%}
    case
        when
            {{ text }} rlike '^\\{"(?i:full|partial|key)":[\\[{]'
            and size(json_object_keys({{ text }})) = 1
            then lower(regexp_extract({{ text }}, '^\\{"([A-Za-z]+)"', 1))
        when {{ text }} rlike '^\\{"type":"(?i:full|partial|key)",'
            then lower(regexp_extract({{ text }}, '^\\{"type":"([A-Za-z]+)"', 1))
    end
{%- endmacro %}

{#- What an externally tagged variant wraps; anything else as it is.
    text: SQL expression, compact JSON text; wrapper: SQL expression, what supabase_etl_wrapper gave. -#}
{% macro supabase_etl_unwrapped(text, wrapper) -%}
    case
        when {{ wrapper }} is not null and not startswith({{ text }}, '{"type":')
            then substring({{ text }}, length({{ wrapper }}) + 5, length({{ text }}) - length({{ wrapper }}) - 5)
        else {{ text }}
    end
{%- endmacro %}

{#- The cells of a row: the array inside {"values": […]} where it is written so, else the text as it is (an array, or an
    object name → value).
    text: SQL expression, compact JSON text of a row. -#}
{% macro supabase_etl_cells(text) -%}
    case
        when startswith({{ text }}, '{"values":[') and size(json_object_keys({{ text }})) = 1
            then substring({{ text }}, 11, length({{ text }}) - 11)
        when {{ text }} rlike '^\\{"type":"(?i:full|key)",' then get_json_object({{ text }}, '$.values')
        else {{ text }}
    end
{%- endmacro %}

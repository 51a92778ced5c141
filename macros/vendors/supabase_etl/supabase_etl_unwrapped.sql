{#- What an externally tagged variant wraps; anything else as it is.
    text: SQL expression, compact JSON text; wrapper: SQL expression, what supabase_etl_wrapper gave. -#}
{% macro supabase_etl_unwrapped(text, wrapper) -%}
    case
        when {{ wrapper }} is not null and not startswith({{ text }}, '{"type":')
            then substring({{ text }}, length({{ wrapper }}) + 5, length({{ text }}) - length({{ wrapper }}) - 5)
        else {{ text }}
    end
{%- endmacro %}

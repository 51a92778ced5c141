{#- The beginning of an event up to what its name wraps, `{"Insert": `; null where no name wraps it. -#}
{% macro supabase_etl_wrapping(event) -%}
    case
        when endswith({{ event }}, '}')
            then nullif(regexp_extract({{ event }}, '(?i)^\\{\\s*"(?:{{ supabase_etl_events() | join('|') }})"\\s*:\\s*', 0), '')
    end
{%- endmacro %}

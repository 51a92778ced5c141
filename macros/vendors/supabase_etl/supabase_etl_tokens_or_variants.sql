{#- What supabase_etl_tokens gave, or, where values lie deeper than it sees, the values found through variants.
    text, tokens: SQL expressions. -#}
{% macro supabase_etl_tokens_or_variants(text, tokens) -%}
    case
        when not substring({{ text }}, 2) rlike '[\\[{]' then {{ tokens }}
        when array_join({{ tokens }}, ',') = substring({{ text }}, 2, length({{ text }}) - 2) then {{ tokens }}
        else transform(from_json({{ text }}, 'array<variant>'), cell -> to_json(cell))
    end
{%- endmacro %}

{#- True where a source is known to drop its Begin and Commit events (var cdc_sources_without_transactions).
    source: SQL expression. -#}
{% macro supabase_etl_without_transactions(source) -%}
    {%- set names = [] -%}
    {%- for name in var('cdc_sources_without_transactions', []) -%}
        {%- do names.append("'" ~ name | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") -%}
    {%- endfor -%}
    {{ source ~ ' in (' ~ names | join(', ') ~ ')' if names else 'false' }}
{%- endmacro %}

{#- Its caller's text with every line's indentation taken off. -#}
{% macro supabase_etl_without_indentation() -%}
    {{- caller().strip().split('\n') | map('trim') | join('\n') -}}
{%- endmacro %}

{#- Texts as a SQL list for `in (…)`; one without texts holds the empty text. -#}
{% macro cdc_sql_list(texts) -%}
    {%- if texts is string -%}
        {{ exceptions.raise_compiler_error("A var or argument is '" ~ texts ~ "'; expected a list, like ['" ~ texts ~ "'].") }}
    {%- endif -%}
    {%- set literals = ["''"] -%}
    {%- for text in texts -%} {%- do literals.append(cdc_changelog.cdc_literal(text)) -%} {%- endfor -%}
    {{ literals | join(', ') }}
{%- endmacro %}

{#- Texts as a SQL list for `in (…)`; one without texts holds the empty text. -#}
{% macro cdc_text_list(texts) -%}
    {%- if texts is string -%}
        {{ exceptions.raise_compiler_error("A var or argument is '" ~ texts ~ "'; expected a list, like ['" ~ texts ~ "'].") }}
    {%- endif -%}
    {%- set literals = ["''"] -%}
    {%- for text in texts -%} {%- do literals.append(cdc_literal(text)) -%} {%- endfor -%}
    {{ literals | join(', ') }}
{%- endmacro %}

{#- The vendors whose spec has a value under a key, as a SQL list of names. -#}
{% macro cdc_vendors_with(key, value) -%}
    {{ cdc_text_list(cdc_vendors() | selectattr(key, 'equalto', value) | map(attribute='name')) }}
{%- endmacro %}

{#- A text as a SQL literal. -#}
{% macro cdc_literal(text) -%}
    {{ return("'" ~ text | string | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") }}
{%- endmacro %}

{#- Texts as a SQL list for `in (…)`; one without texts holds the empty text. texts: list of texts. -#}
{% macro cdc_text_list(texts) -%}
    {%- set literals = [] -%}
    {%- for text in texts -%}
        {%- do literals.append("'" ~ text | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") -%}
    {%- endfor -%}
    {{ literals | join(', ') or "''" }}
{%- endmacro %}

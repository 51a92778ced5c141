{#- A text as a SQL literal. -#}
{% macro cdc_literal(text) -%}
    {{ return("'" ~ text | string | replace('\\', '\\\\') | replace("'", "\\'") ~ "'") }}
{%- endmacro %}

{#- A name in a SQL statement, a regular expression: in double quotes, backticks or brackets, or plain. -#}
{% macro savegress_identifier() -%}
    (?:"[^"]{1,300}+"|`[^`]{1,300}+`|\\[[^\\]]{1,300}+\\]|[^\\s"`\\[\\],;().]{1,300}+)
{%- endmacro %}

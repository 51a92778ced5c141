{#- The members of a JSON object text without the braces; null where there are none. -#}
{% macro cdc_without_braces(object_text) -%}
    nullif(substring({{ object_text }}, 2, length({{ object_text }}) - 2), '')
{%- endmacro %}

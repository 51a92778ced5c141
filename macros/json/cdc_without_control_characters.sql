{#- A text without raw control characters. JSON allows some of them between its tokens, and none inside a string. -#}
{% macro cdc_without_control_characters(text) -%}
    regexp_replace({{ text }}, '[\\x00-\\x1f]', '')
{%- endmacro %}

{#- 128 bits of the SHA-256 of a text, as 32 hexadecimal digits. -#}
{% macro cdc_hash(text) -%}
    left(sha2({{ text }}, 256), 32)
{%- endmacro %}
